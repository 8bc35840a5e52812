'use strict'

const { test } = require('node:test')
const boot = require('..')

test('a plugin from a promise has the name of its function', async (t) => {
  const app = boot()
  app.use(Promise.resolve({ default: async function shop () {} }))
  await app.ready()
  t.assert.strictEqual(app.toJSON().nodes[0].label, 'shop')
})

test('metadata go before the name in the options', async (t) => {
  const app = boot()
  const plugin = Object.assign(async () => {}, { [Symbol.for('plugin-meta')]: { name: 'till' } })
  app.use(Promise.resolve(plugin), { name: 'other' })
  app.use(Promise.resolve(async function shop () {}), { name: 'mine' })
  await app.ready()
  t.assert.deepStrictEqual(app.toJSON().nodes.map((node) => node.label), ['till', 'mine'])
})

test('a plugin that is registered too late is refused with a code', async (t) => {
  const app = boot()
  app._current[0].loaded = true
  t.assert.throws(() => app.use(function late () {}), { code: 'AVV_ERR_PARENT_PLG_LOADED', message: /'late'/ })
})
