import { expect, test } from 'vitest'
import { parseMailBoxUrl } from '../../../platform/formats/mail-url.ts'
import { TEST_CERTIFICATE, TEST_KEY } from '../../../platform/mail/certificate.test-kit.ts'
import { startImapServer } from './imap-server.test-kit.ts'
import { openMailbox } from './mailbox.ts'

const { signal } = new AbortController()

test('no password leaves without TLS, unless the server is this machine', async () => {
  const imap = await startImapServer()
  const box = parseMailBoxUrl(imap.url)
  await expect(openMailbox({ ...box, requireTls: true }, signal)).rejects.toThrow()
  expect(imap.commands.join()).not.toContain('sesame')
  const opened = await openMailbox(box, signal)
  opened.close()
  expect(imap.commands.join()).toContain('sesame')
})

test('a certificate that nobody trusts gets no password', async () => {
  const imap = await startImapServer({ tls: { key: TEST_KEY, cert: TEST_CERTIFICATE } })
  const box = { ...parseMailBoxUrl(imap.url), secure: true }
  await expect(openMailbox(box, signal)).rejects.toThrow(/certificate/)
  expect(imap.commands).toEqual([])
})

test('a folder that is not there ends the connection', async () => {
  const imap = await startImapServer()
  imap.state.refuses = (command) => command.startsWith('SELECT')
  await expect(openMailbox(parseMailBoxUrl(imap.url), signal)).rejects.toThrow()
  await expect.poll(imap.open).toBe(0)
})
