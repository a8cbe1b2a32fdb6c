import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.store.declare.key_templates import compile_key, constant, template
from commonroom.store.errors import BadDeclaration, BadKey
from tests.support.instances import key_text


class TestATemplate:
    def test_puts_fields_into_text(self) -> None:
        made = template("owner#{owner_id}#item#{item_id}")

        assert made.fields == ("owner_id", "item_id")
        assert made.value({"owner_id": "ann", "item_id": 7}) == "owner#ann#item#7"

    def test_pads_numbers(self) -> None:
        assert template("place#{n:05d}").value({"n": 42}) == "place#00042"

    def test_writes_fields_in_forms(self) -> None:
        values = {"title": "Ärger  im #Büro", "id": "Ab-C d"}

        assert template("{title:sort}#{id:plain}").value(values) == "arger_im_buro#abcd"

    def test_of_one_field_is_the_fields_own_value(self) -> None:
        made = template("{rank}")

        assert made.identity
        assert made.value({"rank": 1.5}) == 1.5
        assert made.value({"rank": "a#b"}) == "a#b"

    def test_without_fields_is_always_the_same(self) -> None:
        assert template("METADATA").value({}) == "METADATA"
        assert constant("A#B").fields == ()

    @pytest.mark.parametrize("missing", ["a", "b"])
    def test_is_absent_where_a_field_is(self, missing: str) -> None:
        values = {"a": "x", "b": "y"} | {missing: None}

        assert template("{a}#{b}").value(values) is None

    def test_names_a_field_as_often_as_it_likes(self) -> None:
        made = template("{a}#{a:sort}")

        assert (made.fields, made.value({"a": "É"})) == (("a",), "É#e")

    @pytest.mark.parametrize("value", ["a#b", "#", "#a"])
    def test_refuses_a_part_that_would_end_another(self, value: str) -> None:
        with pytest.raises(BadKey, match="contains #"):
            template("x#{a}").value({"a": value})

    def test_refuses_a_part_that_is_empty(self) -> None:
        with pytest.raises(BadKey, match="empty"):
            template("x#{a}").value({"a": ""})

    def test_refuses_a_part_of_which_its_form_leaves_nothing(self) -> None:
        with pytest.raises(BadKey):
            template("x#{a:plain}").value({"a": "- -"})

    @pytest.mark.parametrize(
        "text", ['say "{a}"', "back\\slash {a}", "{{a}} {b}", "{a.b}#x", "{0}#x", "{}#x"]
    )
    def test_that_cannot_work_is_refused_when_it_is_declared(self, text: str) -> None:
        with pytest.raises(BadDeclaration):
            template(text)

    @pytest.mark.parametrize("name", ["text", "sort", "lower", "plain", "ms", "refuse", "value"])
    def test_takes_fields_of_any_name(self, name: str) -> None:
        made = template(f"x#{{{name}:lower}}#{{{name}}}")

        assert made.value({name: "A"}) == "x#a#A"
        with pytest.raises(BadKey, match="x#"):
            made.value({name: ""})

    @given(st.tuples(key_text, key_text), st.tuples(key_text, key_text))
    def test_never_makes_one_key_of_two_different_things(
        self, one: tuple[str, str], other: tuple[str, str]
    ) -> None:
        made = template("a#{a}#b#{b}")
        keys = [made.value(dict(zip("ab", pair, strict=True))) for pair in (one, other)]

        assert (keys[0] == keys[1]) is (one == other)

    def test_shows_itself_as_documentation_does(self) -> None:
        assert template("owner#{owner_id}#{title:sort}").text == "owner#<owner_id>#<title:sort>"

    @pytest.mark.parametrize(
        "text, prefix", [("owner#{id}", "owner#"), ("{id}#x", ""), ("METADATA", "METADATA")]
    )
    def test_knows_what_its_values_start_with(self, text: str, prefix: str) -> None:
        assert template(text).prefix == prefix


class TestAFunction:
    def test_takes_the_fields_that_its_parameters_name(self) -> None:
        def place_on_shelf(title: str, order: int | None) -> str | None:
            return None if order is None else f"{order:03}#{title}"

        made = template(place_on_shelf)

        assert made.fields == ("title", "order")
        assert made.value({"order": 3, "title": "T", "other": 0}) == "003#T"
        assert made.value({"order": None, "title": "T"}) is None
        assert made.text == "<place on shelf>"


class TestTogether:
    def test_makes_all_keys_of_fields_by_name(self) -> None:
        key = compile_key([template("a#{a}"), template("{a}#{b}"), constant("C")])

        assert key(a="x", b="y") == ("a#x", "x#y", "C")

    def test_refuses_fields_that_are_missing_or_unknown(self) -> None:
        key = compile_key([template("a#{a}")])

        for fields in ({}, {"a": "x", "b": "y"}):
            with pytest.raises(TypeError):
                key(**fields)

    def test_of_constants_needs_no_fields(self) -> None:
        assert compile_key([constant("A"), constant("B")])() == ("A", "B")


class TestFormats:
    @pytest.mark.parametrize(
        "spec, text, key",
        [
            ("sort", "Émile Zola", "k#emile_zola"),
            ("plain", "Ab-Cd 12", "k#abcd12"),
            ("ms", "2026-05-31T20:00:00+02:00", "k#2026-05-31T18:00:00.000Z"),
        ],
    )
    def test_write_a_field_into_a_key(self, spec: str, text: str, key: str) -> None:
        assert template(f"k#{{field:{spec}}}").value({"field": text}) == key

    @given(st.emails().filter(lambda address: "#" not in address))
    def test_lower_does_not_tell_cases_apart(self, address: str) -> None:
        key = template("k{field:lower}")

        assert key.value({"field": address.upper()}) == key.value({"field": address.lower()})

    @pytest.mark.parametrize("text", ["-", "  ", "- -"])
    def test_plain_refuses_text_of_which_nothing_is_left(self, text: str) -> None:
        with pytest.raises(BadKey):
            template("k#{field:plain}").value({"field": text})

    @pytest.mark.parametrize(
        "text", ["yesterday", "2026-05-31T18:00:00", "0001-01-01T00:00:00+23:00"]
    )
    def test_ms_refuses_what_is_no_moment(self, text: str) -> None:
        with pytest.raises(BadKey):
            template("k#{field:ms}").value({"field": text})
