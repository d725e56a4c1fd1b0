import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ComposedMail } from './compose.ts'
import { describeMailError, type MailOutcome } from './mail.ts'

const maxFiles = 1_000
const dayMs = 86_400_000
const maxAgeMs = 30 * dayMs

/** Opens a folder of mails as files, of which it keeps the newest, and none for longer than 30 days. */
export function openOutbox(dir: string) {
  let deleting = Promise.resolve()
  let isWaiting = false
  const deleteOldest = () => {
    if (isWaiting) return
    isWaiting = true
    deleting = deleting.then(() => {
      isWaiting = false
      return deleteOldestIn(dir)
    })
  }
  deleteOldest()
  const daily = setInterval(deleteOldest, dayMs).unref()
  return {
    async send(message: ComposedMail): Promise<MailOutcome> {
      const outcome = await writeTo(dir, message)
      deleteOldest()
      return outcome
    },
    async close() {
      clearInterval(daily)
      await deleting
    },
  }
}

/** Deletes mails that are too old, or older than the newest ones; no other files. */
async function deleteOldestIn(dir: string): Promise<void> {
  const files = await readdir(dir).catch(() => [])
  const mails = files.filter((file) => /^\d{8}T\d{6}\.\d{3}Z-.*\.eml$/.test(file)).sort()
  const oldest = timeOf(new Date(Date.now() - maxAgeMs))
  const superfluous = mails.filter((file, index) => file < oldest || index < mails.length - maxFiles)
  await Promise.allSettled(superfluous.map((file) => rm(join(dir, file), { force: true })))
}

/** Writes the message atomically as a file that only its owner can read. */
async function writeTo(dir: string, message: ComposedMail): Promise<MailOutcome> {
  const draft = join(dir, `.draft-${randomUUID()}`)
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    await writeDurably(draft, message.content)
    await rename(draft, join(dir, fileName(message.messageId)))
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined)
    return { status: 'failed', retry: true, error: describeMailError(error) }
  }
  return syncDirectory(dir)
}

async function writeDurably(path: string, content: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The file is in place by now: a failure here must not cause a second copy. */
async function syncDirectory(dir: string): Promise<MailOutcome> {
  try {
    const handle = await open(dir)
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
    return { status: 'sent' }
  } catch (error) {
    return { status: 'uncertain', error: describeMailError(error) }
  }
}

/** Sorts by time. Nothing in the Message-ID can name another directory or a hidden file. */
function fileName(messageId: string): string {
  const id = messageId.replace(/^<|>$/g, '').replace(/[^A-Za-z0-9.@_-]/g, '_')
  return `${timeOf(new Date())}-${id.slice(0, 200)}.eml`
}

const timeOf = (date: Date) => date.toISOString().replace(/[-:]/g, '')
