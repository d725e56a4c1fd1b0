import { getDocumentProxy } from 'unpdf'
import { expect, test } from 'vitest'
import { addresses, harmless, others, packedPdf, scripts } from './attacks.test-kit.ts'
import { refusalOfObjects } from './refusals.ts'

const named = (files: Record<string, Buffer>) => Object.entries(files)

/** A reader of its own, pdf.js, which is that of Firefox. */
const open = (file: Buffer) => getDocumentProxy(new Uint8Array(file), { verbosity: 0 })

/** What readers agree to see nothing in is refused for the way it is written. */
const unseen = ['in an object stream that is longer than it says', 'behind the cut of an object stream']

test.each(named(scripts))('refuses JavaScript %s, which pdf.js finds', async (name, file) => {
  expect(refusalOfObjects(file)).toMatch(/^pdf_(script|damaged)$/)
  if (unseen.includes(name)) return
  const document = await open(file)
  expect(JSON.stringify(await document.getJSActions())).toContain('app.alert(1)')
})

test.each(named(addresses))('refuses a link to %s, which pdf.js finds', async (_name, file) => {
  expect(refusalOfObjects(file)).toMatch(/^pdf_(actions|launch)$/)
  const page = await (await open(file)).getPage(1)
  expect(await page.getAnnotations()).toMatchObject([{ subtype: 'Link' }])
})

test.each(named(others))('refuses a document that %s', (_name, file) => {
  expect(refusalOfObjects(file)).toMatch(/^pdf_/)
})

test.each(named(harmless))('accepts a document %s', async (_name, file) => {
  expect(refusalOfObjects(file)).toBeNull()
  const document = await open(file)
  expect([await document.getJSActions(), await document.getAttachments()]).toEqual([null, null])
})

test('a stream of objects that is cut anywhere is refused', () => {
  const whole = packedPdf()
  const start = whole.indexOf('stream\n') + 'stream\n'.length
  const end = whole.indexOf('\nendstream')
  for (let at = start; at < end; at++)
    expect(refusalOfObjects(Buffer.concat([whole.subarray(0, at), whole.subarray(end)]))).not.toBeNull()
})

test('a document in which any byte is changed is refused, or pdf.js finds no script in it', async () => {
  const whole = packedPdf({ encode: (content) => content, filter: '' })
  for (let at = '%PDF-1.7'.length; at < whole.length; at++)
    for (const byte of [0x20, 0x2f, 0x25, 0x28, 0x0a]) {
      const changed = Buffer.from(whole)
      changed[at] = byte
      if (refusalOfObjects(changed) !== null) continue
      const seen = await open(changed).then(
        (document) => document.getJSActions().catch(() => null),
        () => null,
      )
      expect(JSON.stringify(seen), `${at}: ${byte}`).not.toContain('app.alert')
    }
})
