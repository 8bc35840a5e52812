'use strict'

const { test } = require('node:test')
const { strict: assert } = require('node:assert')
const slowRedact = require('../index.js')

// Tests for Issue #2319: @pinojs/redact fails to redact patterns with 3+ consecutive wildcards
test('three wildcards with censor function receives correct values', () => {
  const obj = {
    nested: { deep: { auth: { password: 'secret-value' } } }
  }

  const censorCalls = []
  const redact = slowRedact({
    paths: ['*.*.*.password'],
    censor: (value, path) => {
      censorCalls.push({ value, path: [...path] })
      return '[REDACTED]'
    }
  })

  const result = redact(obj)
  const parsed = JSON.parse(result)

  // Should have been called exactly once with the correct value
  assert.strictEqual(censorCalls.length, 1, 'censor should be called once')
  assert.strictEqual(censorCalls[0].value, 'secret-value', 'censor should receive the actual value')
  assert.deepStrictEqual(censorCalls[0].path, ['nested', 'deep', 'auth', 'password'], 'censor should receive correct path')
  assert.strictEqual(parsed.nested.deep.auth.password, '[REDACTED]')
})

