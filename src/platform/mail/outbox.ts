import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ComposedMail } from './compose.ts'
import { describeMailError, type MailOutcome } from './mail.ts'

/** Writes the message atomically as a file that only its owner can read. */
export async function writeToOutbox(dir: string, message: ComposedMail): Promise<MailOutcome> {
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
  const time = new Date().toISOString().replace(/[-:]/g, '')
  const id = messageId.replace(/^<|>$/g, '').replace(/[^A-Za-z0-9.@_-]/g, '_')
  return `${time}-${id.slice(0, 200)}.eml`
}
