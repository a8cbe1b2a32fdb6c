import json
from urllib.request import ProxyHandler, Request, build_opener

# Nobody checks this signature; DynamoDB Local only wants one that names a key and a region.
SIGNATURE = (
    "AWS4-HMAC-SHA256 Credential=tests/20260101/local/dynamodb/aws4_request, "
    "SignedHeaders=host, Signature=none"
)


def test_a_fresh_server_lists_no_tables(dynamodb_local: str) -> None:
    request = Request(
        dynamodb_local,
        data=b"{}",
        headers={
            "Authorization": SIGNATURE,
            "Content-Type": "application/x-amz-json-1.0",
            "X-Amz-Target": "DynamoDB_20120810.ListTables",
        },
    )
    # Without the proxy of whoever runs the tests: the server is on loopback.
    with build_opener(ProxyHandler({})).open(request, timeout=10) as response:
        assert json.load(response) == {"TableNames": []}
