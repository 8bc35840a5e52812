const { test } = require('node:test')
const { strict: assert } = require('node:assert')
const slowRedact = require('../index.js')

// Path validation tests to match fast-redact behavior
// fast-redact compatibility tests
test('censor function with wildcards receives correct array paths', () => {
  const obj = {
    users: {
      user1: { password: 'secret1' },
      user2: { password: 'secret2' }
    }
  }

  const pathsReceived = []
  const redact = slowRedact({
    paths: ['users.*.password'],
    censor: (value, path) => {
      pathsReceived.push([...path]) // copy the array
      assert(Array.isArray(path))
      return '[REDACTED]'
    }
  })

  redact(obj)

  assert.strictEqual(pathsReceived.length, 2)
  assert.deepStrictEqual(pathsReceived[0], ['users', 'user1', 'password'])
  assert.deepStrictEqual(pathsReceived[1], ['users', 'user2', 'password'])
})

test('censor function with array wildcard receives correct array paths', () => {
  const obj = {
    items: [
      { secret: 'value1' },
      { secret: 'value2' }
    ]
  }

  const pathsReceived = []
  const redact = slowRedact({
    paths: ['items.*.secret'],
    censor: (value, path) => {
      pathsReceived.push([...path])
      assert(Array.isArray(path))
      return '[REDACTED]'
    }
  })

  redact(obj)

  assert.strictEqual(pathsReceived.length, 2)
  assert.deepStrictEqual(pathsReceived[0], ['items', '0', 'secret'])
  assert.deepStrictEqual(pathsReceived[1], ['items', '1', 'secret'])
})

// Remove option tests
// Test for Issue #13: Empty string bracket notation paths not being redacted correctly
// Test for Pino issue #2313: censor should only be called when path exists
test('censor function not called for non-existent paths', () => {
  let censorCallCount = 0
  const censorCalls = []

  const redact = slowRedact({
    paths: ['a.b.c', 'req.authorization', 'url'],
    serialize: false,
    censor (value, path) {
      censorCallCount++
      censorCalls.push({ value, path: path.slice() })
      return '***'
    }
  })

  // Test case 1: { req: { id: 'test' } }
  // req.authorization doesn't exist, censor should not be called for it
  censorCallCount = 0
  censorCalls.length = 0
  redact({ req: { id: 'test' } })

  // Should not have been called for any path since none exist
  assert.strictEqual(censorCallCount, 0, 'censor should not be called when paths do not exist')

  // Test case 2: { a: { d: 'test' } }
  // a.b.c doesn't exist (a.d exists, but not a.b.c)
  censorCallCount = 0
  redact({ a: { d: 'test' } })
  assert.strictEqual(censorCallCount, 0)

  // Test case 3: paths that do exist should still call censor
  censorCallCount = 0
  censorCalls.length = 0
  const result = redact({ req: { authorization: 'bearer token' } })
  assert.strictEqual(censorCallCount, 1, 'censor should be called when path exists')
  assert.deepStrictEqual(censorCalls[0].path, ['req', 'authorization'])
  assert.strictEqual(censorCalls[0].value, 'bearer token')
  assert.strictEqual(result.req.authorization, '***')
})

