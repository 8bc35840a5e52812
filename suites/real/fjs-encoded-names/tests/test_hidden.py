"""Hidden tests: those of the package, run by node on a copy of the repository, each as a function."""

import functools
import json
import shutil
import subprocess
import tempfile
from pathlib import Path

FILES = Path(__file__).parent / "package"
SEPARATOR = " > "

@functools.cache
def results(file):
    """What came of each test of a file: its title, whether it passed, whether it was skipped. None: it did not end."""
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryDirectory() as own:
        root = Path(name, "repository")
        shutil.copytree(Path.cwd(), root, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        shutil.rmtree(root / DIRECTORY, ignore_errors=True)
        shutil.copytree(FILES, root / DIRECTORY)
        reporter = Path(own, "reporter.mjs")
        reporter.write_text(REPORTER)
        command = ["node", "--test", f"--test-reporter={reporter}", f"{DIRECTORY}/{file}"]
        try:
            done = subprocess.run(
                command, cwd=root, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60
            )
        except subprocess.TimeoutExpired:
            return None
    # Titles may have line separators of Unicode, at which splitlines() splits too.
    lines = [json.loads(line) for line in done.stdout.split("\n") if line]
    if not lines or lines.pop() != {"end": True}:
        return None
    return [(SEPARATOR.join(" ".join(t.split()) for t in r["path"]), r["passed"], r["skipped"]) for r in lines]


def belongs(test, title):
    return test == title or test.startswith(title + SEPARATOR)


def check(file, title):
    """A test of this title passed, with all that belongs to it."""
    found = results(file)
    assert found is not None, "node did not end"
    mine = [(passed, skipped) for test, passed, skipped in found if belongs(test, title)]
    assert mine, "did not run"
    assert all(passed for passed, _ in mine)
    assert not all(skipped for _, skipped in mine), "was skipped"


def check_rest(file):
    """The file ran to its end, and everything in it passed that has no function here."""
    found = results(file)
    assert found is not None, "node did not end"
    # Node takes a file that ends before its first test for a test of its own.
    ran = [test for test, _, _ in found if not test.endswith(f"{DIRECTORY}/{file}")]
    assert ran, "did not run"
    assert all(any(belongs(test, title) for test in ran) for title in TITLES[file]), "did not run to its end"
    groups = {title[:at] for title in TITLES[file] for at in range(len(title)) if title.startswith(SEPARATOR, at)}
    others = [(test, passed) for test, passed, _ in found if not any(belongs(test, t) for t in TITLES[file])]
    assert all(passed for test, passed in others if test not in groups)


REPORTER = r"""export default async function* (events) {
  const open = [];
  for await (const { type, data } of events) {
    if (type === "test:start") {
      open.length = data.nesting;
      open.push(data.name);
    } else if (type === "test:pass" || type === "test:fail") {
      const { file } = data;
      const path = [...open.slice(0, data.nesting), data.name];
      const skipped = data.skip !== undefined || data.todo !== undefined;
      yield JSON.stringify({ file, path, passed: type === "test:pass", skipped }) + "\n";
    }
  }
  yield '{"end": true}\n';
}
"""

DIRECTORY = "test"

# For each file the titles that have a function of their own.
TITLES = {
    "ref.test.js": [
        "ref internal - properties",
        "ref internal - items",
        "ref external - properties",
        "ref internal - patternProperties",
        "ref internal - additionalProperties",
        "ref internal - pattern-additional Properties",
        "ref external - pattern-additional Properties",
        "ref internal - deepObject schema",
        "ref internal - plain name fragment",
        "ref external - plain name fragment",
        "external reference to $id",
        "external reference to key#id",
        "external and inner reference",
        "external reference to key",
        "ref external - duplicate plain name fragment",
        "ref external - explicit external plain name fragment must not fallback to other external schemas",
        "ref internal - multiple $ref format",
        "ref external - external schema with internal ref (object property)",
        "ref external - external schema with internal ref (array items)",
        "ref external - external schema with internal ref (root)",
        "ref external - external schema with internal ref (pattern properties)",
        "ref in root internal",
        "ref in root external",
        "ref in root external multiple times",
        "ref external to relative definition",
        "ref to nested ref definition",
        "Bad key",
        "Regression 2.5.2",
        "Reference through multiple definitions",
        "issue #350",
        "deep union type",
        "ref with same id in properties",
        "Should not modify external schemas",
        "input schema is not mutated",
        "anyOf inside allOf",
        "should resolve absolute $refs",
        "nested schema should overwrite anchor scope",
        "object property reference with default value",
        "should throw an Error if two non-identical schemas with same id are provided",
        "ref internal - throw if schema has definition twice with different shape",
        "ref nested",
        "ref internal - sibling keywords",
        "ref external - sibling keywords",
        "ref external - recursive sibling keywords",
        "ref internal - conflicting sibling keywords",
        "ref external - sibling keywords with a duplicated anchor",
        "multiple anyOf fields with root $ref do not overflow the stack",
        "multiple oneOf fields with root $ref do not overflow the stack",
        "multiple anyOf root refs with sibling keywords do not overflow the stack",
        "multiple anyOf refs to a non-root definition do not overflow the stack",
        "inline anyOf options reuse their merged schema when the same definition is referenced twice",
        "anyOf $ref options with the same sibling keywords in different schemas are merged separately",
        "multiple anyOf root refs with sibling keywords on the option do not overflow the stack",
        "ref internal - percent-encoded definition key with oneOf",
        "ref internal - percent-encoded definition key with anyOf and compileValidators",
        "ref internal - RFC 6901 percent-encoded $ref seen only by Ajv keeps resolving",
        "ref internal - literal percent-encoded $ref seen only by Ajv resolves literally",
        "Validator.addSchema without a ref resolver escapes every percent-encoded $ref",
        "ref external - $ref without a fragment seen only by Ajv"
    ]
}

def test_ref_ref_internal_properties():
    check("ref.test.js", "ref internal - properties")


def test_ref_ref_internal_items():
    check("ref.test.js", "ref internal - items")


def test_ref_ref_external_properties():
    check("ref.test.js", "ref external - properties")


def test_ref_ref_internal_patternproperties():
    check("ref.test.js", "ref internal - patternProperties")


def test_ref_ref_internal_additionalproperties():
    check("ref.test.js", "ref internal - additionalProperties")


def test_ref_ref_internal_pattern_additional_properties():
    check("ref.test.js", "ref internal - pattern-additional Properties")


def test_ref_ref_external_pattern_additional_properties():
    check("ref.test.js", "ref external - pattern-additional Properties")


def test_ref_ref_internal_deepobject_schema():
    check("ref.test.js", "ref internal - deepObject schema")


def test_ref_ref_internal_plain_name_fragment():
    check("ref.test.js", "ref internal - plain name fragment")


def test_ref_ref_external_plain_name_fragment():
    check("ref.test.js", "ref external - plain name fragment")


def test_ref_external_reference_to_id():
    check("ref.test.js", "external reference to $id")


def test_ref_external_reference_to_key_id():
    check("ref.test.js", "external reference to key#id")


def test_ref_external_and_inner_reference():
    check("ref.test.js", "external and inner reference")


def test_ref_external_reference_to_key():
    check("ref.test.js", "external reference to key")


def test_ref_ref_external_duplicate_plain_name_fragment():
    check("ref.test.js", "ref external - duplicate plain name fragment")


def test_ref_ref_external_explicit_external_plain_name_fragment_must_not_fallback_to_other_external_schemas():
    check("ref.test.js", "ref external - explicit external plain name fragment must not fallback to other external schemas")


def test_ref_ref_internal_multiple_ref_format():
    check("ref.test.js", "ref internal - multiple $ref format")


def test_ref_ref_external_external_schema_with_internal_ref_object_property():
    check("ref.test.js", "ref external - external schema with internal ref (object property)")


def test_ref_ref_external_external_schema_with_internal_ref_array_items():
    check("ref.test.js", "ref external - external schema with internal ref (array items)")


def test_ref_ref_external_external_schema_with_internal_ref_root():
    check("ref.test.js", "ref external - external schema with internal ref (root)")


def test_ref_ref_external_external_schema_with_internal_ref_pattern_properties():
    check("ref.test.js", "ref external - external schema with internal ref (pattern properties)")


def test_ref_ref_in_root_internal():
    check("ref.test.js", "ref in root internal")


def test_ref_ref_in_root_external():
    check("ref.test.js", "ref in root external")


def test_ref_ref_in_root_external_multiple_times():
    check("ref.test.js", "ref in root external multiple times")


def test_ref_ref_external_to_relative_definition():
    check("ref.test.js", "ref external to relative definition")


def test_ref_ref_to_nested_ref_definition():
    check("ref.test.js", "ref to nested ref definition")


def test_ref_bad_key():
    check("ref.test.js", "Bad key")


def test_ref_regression_2_5_2():
    check("ref.test.js", "Regression 2.5.2")


def test_ref_reference_through_multiple_definitions():
    check("ref.test.js", "Reference through multiple definitions")


def test_ref_issue_350():
    check("ref.test.js", "issue #350")


def test_ref_deep_union_type():
    check("ref.test.js", "deep union type")


def test_ref_ref_with_same_id_in_properties():
    check("ref.test.js", "ref with same id in properties")


def test_ref_should_not_modify_external_schemas():
    check("ref.test.js", "Should not modify external schemas")


def test_ref_input_schema_is_not_mutated():
    check("ref.test.js", "input schema is not mutated")


def test_ref_anyof_inside_allof():
    check("ref.test.js", "anyOf inside allOf")


def test_ref_should_resolve_absolute_refs():
    check("ref.test.js", "should resolve absolute $refs")


def test_ref_nested_schema_should_overwrite_anchor_scope():
    check("ref.test.js", "nested schema should overwrite anchor scope")


def test_ref_object_property_reference_with_default_value():
    check("ref.test.js", "object property reference with default value")


def test_ref_should_throw_an_error_if_two_non_identical_schemas_with_same_id_are_provided():
    check("ref.test.js", "should throw an Error if two non-identical schemas with same id are provided")


def test_ref_ref_internal_throw_if_schema_has_definition_twice_with_different_shape():
    check("ref.test.js", "ref internal - throw if schema has definition twice with different shape")


def test_ref_ref_nested():
    check("ref.test.js", "ref nested")


def test_ref_ref_internal_sibling_keywords():
    check("ref.test.js", "ref internal - sibling keywords")


def test_ref_ref_external_sibling_keywords():
    check("ref.test.js", "ref external - sibling keywords")


def test_ref_ref_external_recursive_sibling_keywords():
    check("ref.test.js", "ref external - recursive sibling keywords")


def test_ref_ref_internal_conflicting_sibling_keywords():
    check("ref.test.js", "ref internal - conflicting sibling keywords")


def test_ref_ref_external_sibling_keywords_with_a_duplicated_anchor():
    check("ref.test.js", "ref external - sibling keywords with a duplicated anchor")


def test_ref_multiple_anyof_fields_with_root_ref_do_not_overflow_the_stack():
    check("ref.test.js", "multiple anyOf fields with root $ref do not overflow the stack")


def test_ref_multiple_oneof_fields_with_root_ref_do_not_overflow_the_stack():
    check("ref.test.js", "multiple oneOf fields with root $ref do not overflow the stack")


def test_ref_multiple_anyof_root_refs_with_sibling_keywords_do_not_overflow_the_stack():
    check("ref.test.js", "multiple anyOf root refs with sibling keywords do not overflow the stack")


def test_ref_multiple_anyof_refs_to_a_non_root_definition_do_not_overflow_the_stack():
    check("ref.test.js", "multiple anyOf refs to a non-root definition do not overflow the stack")


def test_ref_inline_anyof_options_reuse_their_merged_schema_when_the_same_definition_is_referenced_twice():
    check("ref.test.js", "inline anyOf options reuse their merged schema when the same definition is referenced twice")


def test_ref_anyof_ref_options_with_the_same_sibling_keywords_in_different_schemas_are_merged_separately():
    check("ref.test.js", "anyOf $ref options with the same sibling keywords in different schemas are merged separately")


def test_ref_multiple_anyof_root_refs_with_sibling_keywords_on_the_option_do_not_overflow_the_stack():
    check("ref.test.js", "multiple anyOf root refs with sibling keywords on the option do not overflow the stack")


def test_ref_ref_internal_percent_encoded_definition_key_with_oneof():
    check("ref.test.js", "ref internal - percent-encoded definition key with oneOf")


def test_ref_ref_internal_percent_encoded_definition_key_with_anyof_and_compilevalidators():
    check("ref.test.js", "ref internal - percent-encoded definition key with anyOf and compileValidators")


def test_ref_ref_internal_rfc_6901_percent_encoded_ref_seen_only_by_ajv_keeps_resolving():
    check("ref.test.js", "ref internal - RFC 6901 percent-encoded $ref seen only by Ajv keeps resolving")


def test_ref_ref_internal_literal_percent_encoded_ref_seen_only_by_ajv_resolves_literally():
    check("ref.test.js", "ref internal - literal percent-encoded $ref seen only by Ajv resolves literally")


def test_ref_validator_addschema_without_a_ref_resolver_escapes_every_percent_encoded_ref():
    check("ref.test.js", "Validator.addSchema without a ref resolver escapes every percent-encoded $ref")


def test_ref_ref_external_ref_without_a_fragment_seen_only_by_ajv():
    check("ref.test.js", "ref external - $ref without a fragment seen only by Ajv")


def test_ref_everything_else():
    check_rest("ref.test.js")
