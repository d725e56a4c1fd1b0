import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import readAddresses from 'nodemailer/lib/addressparser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fc, propertyRuns } from '../../../test/support/fast-check.ts'
import { parseMailAddress, parseMailFrom } from '../formats/mail-address.ts'
import { htmlOf } from './html.ts'
import type { Mail } from './mail.ts'
import { readMessage } from './mail-servers.test-kit.ts'
import { createMailer } from './mailer.ts'

const MAIL: Mail = { messageId: '<m1@parvis.test>', to: 'zoe@example.fr', subject: 'Bonjour', text: 'Oui.' }
const HEADERS =
  'Auto-Submitted From To Subject Message-ID Date MIME-Version Content-Type Content-Transfer-Encoding'.split(
    ' ',
  )

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'parvis-mail-'))
})
afterAll(() => rm(root, { recursive: true }))

test('without a URL each message is one complete file, readable by its owner only', async () => {
  const { dir, outcome, files } = await post({})
  expect(outcome).toEqual({ status: 'sent' })
  expect(files).toEqual([expect.stringMatching(/^\d{8}T\d{6}\.\d{3}Z-m1@parvis\.test\.eml$/)])
  expect((await stat(join(dir, files[0] ?? ''))).mode & 0o777).toBe(0o600)
  expect((await stat(dir)).mode & 0o777).toBe(0o700)
})

test('a message carries its thread, its sender and its text', async () => {
  const { message } = await post({
    subject: 'Réponse à votre demande',
    text: 'Été\r\ncomme\rhiver\n',
    replyTo: 'mairie@évry.fr',
    inReplyTo: '<m0@parvis.test>',
    references: ['<a@parvis.test>', '<m0@parvis.test>'],
  })
  expect(message.names.toSorted()).toEqual([...HEADERS, 'In-Reply-To', 'References', 'Reply-To'].toSorted())
  expect(Object.fromEntries(message.headers)).toMatchObject({
    From: 'Ville d’Évry, "accueil" <parvis@example.fr>',
    To: 'zoe@example.fr',
    'Reply-To': 'mairie@xn--vry-9la.fr',
    Subject: 'Réponse à votre demande',
    'Message-ID': '<m1@parvis.test>',
    'In-Reply-To': '<m0@parvis.test>',
    References: '<a@parvis.test> <m0@parvis.test>',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Transfer-Encoding': 'quoted-printable',
    'Auto-Submitted': 'auto-generated',
  })
  expect(message.text).toBe('Été\r\ncomme\r\nhiver\r\n')
})

test('a message that a person wrote is not marked as automatic', async () => {
  expect((await post({ isWritten: true })).message.names).not.toContain('Auto-Submitted')
})

test.each(['zoe@-a.fr', 'zoe@a-.fr', 'zoe@a.-fr', 'zoe@a.fr-', 'zoe@a.-b.fr', 'zoe@-'])(
  'a label of a domain does not begin or end in a hyphen: %s',
  (address) => {
    expect(parseMailAddress(address)).toBeNull()
  },
)

test('a message with HTML carries both forms, text first, in short lines', async () => {
  const html = `<p>Été ${'x'.repeat(2_000)}<br>\ncomme hiver</p>\n`
  const { content, message } = await post({ text: 'Été\ncomme hiver\n', html })
  expect(message.headers.get('Content-Type')).toMatch(/^multipart\/alternative/)
  const [, text, rich] = content.split(/\r\n--[^\r]*\r\n/)
  expect(text).toMatch(
    /^Content-Type: text\/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n/,
  )
  expect(rich).toMatch(
    /^Content-Type: text\/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n/,
  )
  expect(readMessage(text ?? '').text).toBe('Été\r\ncomme hiver\r\n')
  expect(readMessage(rich ?? '').text).toBe(html.replaceAll('\n', '\r\n'))
  expect(Math.max(...content.split('\r\n').map((line) => line.length))).toBeLessThan(998)
})

test('converts text to equivalent HTML: escaped, with links', () => {
  expect(
    htmlOf(
      'Bonjour <b>Zoé</b> & "co",\nvoir https://exemple.fr/a?b=1&c="x. Merci !\n\n\njavascript:alert(1)',
    ),
  ).toBe(
    `<!doctype html>
<html lang="fr"><body>
<p>Bonjour &lt;b&gt;Zoé&lt;/b&gt; &amp; &quot;co&quot;,<br>
voir <a href="https://exemple.fr/a?b=1&amp;c=">https://exemple.fr/a?b=1&amp;c=</a>&quot;x. Merci !</p>
<p>javascript:alert(1)</p>
</body></html>
`,
  )
  expect(htmlOf('(https://exemple.fr/fin).')).toContain(
    '(<a href="https://exemple.fr/fin">https://exemple.fr/fin</a>).',
  )
})

test('a very long thread keeps its first message and its latest ones', async () => {
  const references = Array.from({ length: 300 }, (_, index) => `<m${index}@parvis.test>`)
  const { message } = await post({ references })
  const kept = message.headers.get('References')?.split(' ') ?? []
  expect(kept).toEqual([references[0], ...references.slice(-19)])
})

test.for([
  'Bonjour\r\nBcc: eve@example.com\r\n\r\nVisitez',
  'Bonjour\nBcc: eve@example.com',
  'Bonjour\rBcc: eve@example.com',
  'Bonjour\u2028Bcc: eve@example.com\u0085x\0y',
])('a subject is a single line whatever it contains: %j', async (subject) => {
  const { message } = await post({ subject })
  expect(message.names.toSorted()).toEqual(HEADERS.toSorted())
  expect(message.headers.get('Subject')).toMatch(/^Bonjour Bcc: eve@example\.com/)
})

test.for(['a'.repeat(5000), 'été '.repeat(2000), '🙂'.repeat(2000)])(
  'cuts a long subject',
  async (subject) => {
    const { content, message } = await post({ subject })
    expect(Math.max(...content.split('\r\n').map((line) => line.length))).toBeLessThan(998)
    expect([...(message.headers.get('Subject') ?? '')]).toHaveLength(250)
  },
)

test('shows a subject as written, even if it looks like an encoded word', async () => {
  const { message } = await post({ subject: '=?utf-8?Q?Gagn=C3=A9?=' })
  expect(message.headers.get('Subject')).toBe('= ?utf-8?Q?Gagn=C3=A9?=')
})

test.for([
  '',
  'zoe',
  'zoe@',
  '@example.fr',
  'zoe@example.fr, eve@example.com',
  'zoe@example.fr,eve@example.com',
  'zoe@example.fr;eve@example.com',
  'zoe@example.fr eve@example.com',
  'amis: zoe@example.fr, eve@example.com;',
  'Zoé <zoe@example.fr>',
  '<zoe@example.fr>',
  '"zoe, eve"@example.fr',
  'zoe(eve@example.com)@example.fr',
  'zoe@example.fr\r\nBcc: eve@example.com',
  'zoe@example.fr\nRCPT TO:<eve@example.com>',
  'zoe@example.fr\0',
  'zoe@eve@example.fr',
  'zoe@[127.0.0.1]',
  'zoe@127.0.0.1',
  'zoe@0x7f.1',
  'zoe@ex%61mple.fr',
  'zoe@example.fr/x',
  'zoe..x@example.fr',
  'zoe\u200b@example.fr',
  `${'z'.repeat(65)}@example.fr`,
  `zoe@${'example.'.repeat(40)}fr`,
])('%j is not a single recipient: fails for good without sending', async (to) => {
  expect(await post({ to })).toMatchObject({ outcome: { status: 'failed', retry: false }, files: [] })
  expect(await post({ replyTo: to })).toMatchObject({
    outcome: { status: 'failed', retry: false },
    files: [],
  })
})

test.for(['<m1>', 'm1@x', '<m 1@x>', '<m1@x>\r\nBcc: eve@example.com', '<m1@x> <m2@x>', '<é@x>'])(
  '%j is not a Message-ID',
  async (id) => {
    const refused = { outcome: { status: 'failed', retry: false }, files: [] }
    expect(await post({ messageId: id })).toMatchObject(refused)
    expect(await post({ inReplyTo: id })).toMatchObject(refused)
    expect(await post({ references: [id] })).toMatchObject(refused)
  },
)

test('an accepted address is a single address for other parsers too', () => {
  const character = fc.constantFrom(...'ab.@,;:<>()[]"\\ \r\n\t=?_-+%!é日\u200b'.split(''))
  const text = fc.string({ unit: character, maxLength: 20 })
  fc.assert(
    fc.property(text, text, (left, right) => {
      const address = parseMailAddress(`${left}@${right}a.fr`)
      if (address) expect(readAddresses(address)).toEqual([{ address, name: '' }])
    }),
    { numRuns: propertyRuns(10) },
  )
})

test('a file name takes nothing dangerous from the Message-ID', async () => {
  const { files } = await post({ messageId: '<../../etc/passwd@a/b|c>' })
  expect(files).toEqual([expect.stringMatching(/Z-\.\._\.\._etc_passwd@a_b_c\.eml$/)])
})

test('an outbox that cannot be written is a failure to retry', async () => {
  const blocked = join(root, 'blocked')
  await writeFile(blocked, '')
  const mailer = createMailer({ url: null, from: 'a@b.fr', outboxDir: join(blocked, 'outbox') })
  expect(await mailer.send(MAIL)).toMatchObject({ status: 'failed', retry: true })
})

test('two messages of the same instant are two files', async () => {
  const outboxDir = join(root, 'crowd')
  await mkdir(outboxDir)
  const mailer = createMailer({ url: null, from: 'a@b.fr', outboxDir })
  await Promise.all(Array.from({ length: 50 }, (_, n) => mailer.send({ ...MAIL, messageId: `<${n}@b.fr>` })))
  const files = await readdir(outboxDir)
  expect(files.filter((file) => file.endsWith('.eml'))).toHaveLength(50)
  expect(files).toHaveLength(50)
})

test('the outbox keeps the newest 1 000 mails, for 30 days, and files of others', async () => {
  const outboxDir = join(root, 'full')
  await mkdir(outboxDir)
  const nameOf = (days: number, number: number) =>
    `${new Date(Date.now() - days * 86_400_000).toISOString().replace(/[-:]/g, '')}-${number}@b.fr.eml`
  const [old, other] = [nameOf(31, 0), 'notes.txt']
  const recent = Array.from({ length: 1_001 }, (_, number) => nameOf(29 - number / 100, number))
  await Promise.all([old, other, ...recent].map((file) => writeFile(join(outboxDir, file), '')))
  const mailer = createMailer({ url: null, from: 'a@b.fr', outboxDir })
  await mailer.send(MAIL)
  await mailer.close()
  const files = (await readdir(outboxDir)).sort()
  expect(files).toEqual([...recent.slice(2), expect.stringMatching(/Z-.*\.eml$/), other])
})

test('MAIL_FROM is an address with or without a name; anything else is refused in a sentence', () => {
  expect(parseMailFrom('a@b.fr')).toEqual({ name: '', address: 'a@b.fr' })
  expect(parseMailFrom(' "Évry, accueil" <a@b.fr> ')).toEqual({ name: 'Évry, accueil', address: 'a@b.fr' })
  for (const from of [
    '',
    'Évry',
    'a@b.fr, c@d.fr',
    'A <a@b.fr> <c@d.fr>',
    'A\r\nBcc: x@y.fr <a@b.fr>',
    '<>',
  ]) {
    expect(() => parseMailFrom(from)).toThrow(/^must be one address, /)
  }
})

let posted = 0
async function post(mail: Partial<Mail>) {
  posted += 1
  const dir = join(root, `outbox-${posted}`)
  const mailer = createMailer({
    url: null,
    from: 'Ville d’Évry, "accueil" <parvis@example.fr>',
    outboxDir: dir,
  })
  const outcome = await mailer.send({ ...MAIL, ...mail })
  const files = await readdir(dir).catch(() => [])
  const content = files[0] ? await readFile(join(dir, files[0]), 'utf8') : ''
  return { dir, outcome, files, content, message: readMessage(content) }
}
