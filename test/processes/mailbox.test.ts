import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ImapFlow } from 'imapflow'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openMailbox } from '../../src/modules/messages/inbox/mailbox.ts'
import { parseMailBoxUrl } from '../../src/platform/formats/mail-url.ts'
import { freePort } from './free-port.ts'

const user = 'reponse@example.org'
const isLong = process.env.PARVIS_TEST_LONG !== undefined
const { signal } = new AbortController()

test.runIf(isLong && isInstalled())('reads a mailbox of Dovecot, and marks in it', async () => {
  const server = parseMailBoxUrl(await startDovecot())
  const writer = new ImapFlow({ ...server, logger: false })
  await writer.connect()
  onTestFinished(() => writer.close())
  const mails = ['Merci !', 'É'.repeat(400_000)].map((text, nth) =>
    Buffer.from(
      `From: odile@example.org\r\nTo: reponse+support-${nth}@example.org\r\nSubject: Re: x\r\nX-Other: y\r\n\r\n${text}\r\n`,
    ),
  )
  for (const mail of mails) await writer.append('INBOX', mail)
  const box = await openMailbox(server, signal)
  onTestFinished(() => box.close())
  const since = new Date(Date.now() - 86_400_000)
  const uids = await box.list(since)
  expect(uids).toEqual([1, 2])
  const heads = await box.heads(uids)
  expect(heads.map(({ bytes }) => bytes)).toEqual(mails.map(({ length }) => length))
  expect(heads[0]?.head.toString()).toContain('To: reponse+support-0@example.org')
  expect(heads[0]?.head.toString()).not.toContain('X-Other')
  expect(await box.source(1, 10_000)).toEqual(mails[0])
  expect(await box.source(2, 10_000)).toHaveLength(10_000)
  // Reading marks nothing.
  expect(await box.listUnread(since)).toEqual([1, 2])
  await box.markRead([1])
  expect(await box.listUnread(since)).toEqual([2])
  await expect(box.source(9, 10)).rejects.toThrow()
  const wrong = { ...server, auth: { user, pass: 'wrong' } }
  await expect(openMailbox(wrong, signal)).rejects.toThrow()
})

function isInstalled(): boolean {
  try {
    execFileSync('dovecot', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Starts Dovecot with one mailbox, and returns its address. Its own users own the folders. */
async function startDovecot(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'dovecot-'))
  const port = await freePort()
  const mail = join(folder, 'mail')
  mkdirSync(mail)
  for (const path of [folder, mail]) chmodSync(path, 0o777)
  const config = join(folder, 'dovecot.conf')
  writeFileSync(join(folder, 'users'), `${user}:{PLAIN}sesame::::::\n`)
  writeFileSync(
    config,
    `base_dir = ${folder}/run
log_path = /dev/stderr
protocols = imap
ssl = no
disable_plaintext_auth = no
mail_location = maildir:${mail}
mail_uid = nobody
mail_gid = nogroup
first_valid_uid = 1
first_valid_gid = 1
passdb {
  driver = passwd-file
  args = ${folder}/users
}
userdb {
  driver = static
  args = uid=nobody gid=nogroup home=${mail}
}
service imap-login {
  inet_listener imap {
    address = 127.0.0.1
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
`,
  )
  const child = spawn('dovecot', ['-F', '-c', config], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  onTestFinished(async () => {
    child.kill()
    if (child.exitCode === null) await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  })
  const url = `imap://${encodeURIComponent(user)}:sesame@127.0.0.1:${port}`
  await vi.waitFor(
    async () => {
      if (child.exitCode !== null) throw new Error(`Dovecot ended: ${said}`)
      const box = await openMailbox(parseMailBoxUrl(url), signal)
      box.close()
    },
    { timeout: 30_000, interval: 100 },
  )
  return url
}
