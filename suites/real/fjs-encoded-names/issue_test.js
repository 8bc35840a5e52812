'use strict'

const { test } = require('node:test')
const build = require('..')
const Validator = require('../lib/validator')

const page = { type: 'object', additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }] } }

for (const name of ['Page%3CUser%3E', 'a%20b']) {
  test(`a choice in the definition ${name} can be made`, (t) => {
    const stringify = build({
      type: 'object',
      definitions: { [name]: page },
      properties: { users: { $ref: `#/definitions/${name}` } }
    })
    t.assert.strictEqual(stringify({ users: { first: 'x', count: 2 } }), '{"users":{"first":"x","count":2}}')
  })
}

function byKind (name, ref) {
  return build({
    type: 'object',
    definitions: { [name]: { type: 'object', required: ['kind'] } },
    if: { $ref: `#/definitions/${ref}` },
    then: { properties: { kind: { type: 'string' } } },
    else: { properties: { other: { type: 'number' } } }
  })
}

test('a condition finds the definition by the name as it is written', (t) => {
  const stringify = byKind('a%20b', 'a%20b')
  t.assert.strictEqual(stringify({ kind: 'x' }), '{"kind":"x"}')
  t.assert.strictEqual(stringify({ other: 3 }), '{"other":3}')
})

test('a condition finds the definition by the name that the reference encodes', (t) => {
  const stringify = byKind('a b', 'a%20b')
  t.assert.strictEqual(stringify({ kind: 'x' }), '{"kind":"x"}')
  t.assert.strictEqual(stringify({ other: 3 }), '{"other":3}')
})

test('the validator alone finds it as well', (t) => {
  const validator = new Validator()
  validator.addSchema({ definitions: { 'a%20b': { type: 'number' } }, properties: { n: { $ref: '#/definitions/a%20b' } } }, 'own')
  t.assert.strictEqual(validator.validate('own#/properties/n', 1), true)
  t.assert.strictEqual(validator.validate('own#/properties/n', 'x'), false)
})
