import subprocess
import sys


def test_the_store_itself_needs_nothing_of_the_extra() -> None:
    code = (
        "import sys, commonroom.store, commonroom.store.dynamodb_json; "
        "print({'aiodynamo', 'aiohttp', 'aiobotocore', 'botocore'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "set()"


def test_botocore_is_loaded_only_where_streams_are_read() -> None:
    code = "import sys, commonroom.store.dynamodb; print('aiobotocore' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "False"
