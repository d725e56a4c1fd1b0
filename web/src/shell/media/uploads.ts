import { maxDocumentBytes, maxPictureBytes } from '../../../../src/modules/media/limits.ts'
import { connection } from '../../api/connection.ts'
import { ApiFailure } from '../../api/failure.ts'
import { createStore } from '../../api/store.ts'
import { type MediaKind, sendMedia } from './queries.ts'
import { prepare } from './shrink.ts'
import { type Token, textOf, tokensIn, unsentIn, unsentToken } from './tokens.ts'

/**
 * preparing (a picture is read and made small) → queued → sending → sent
 * preparing → too-large (for the service; the browser could not make it small)
 * sending → waiting (no response, or the service is busy) → queued, as soon as the service responds
 * sending → refused (the service says why) → queued, on request
 */
type Step =
  | { name: 'preparing' | 'queued' | 'waiting' | 'too-large' }
  | { name: 'sending'; part: number }
  | { name: 'refused'; error: unknown }
  | { name: 'sent'; id: string }

export type Upload = {
  key: string
  kind: MediaKind
  name: string
  acteurId: string | null
  file: Blob
  thumbnail: string | null
  step: Step
}

/** Files chosen in this page. They survive the form, not the page. */
const uploads = createStore<ReadonlyMap<string, Upload>>(new Map())
const controllers = new Map<string, AbortController>()

export const useUploads = () => uploads.use()

/** Two at a time: one is decoded by the service while the next is on its way. */
const atOnce = 2

/** Bitmaps of several phone photos at once would take more memory than a phone has. */
let preparing: Promise<void> = Promise.resolve()

export const maxBytes: Record<MediaKind, number> = { image: maxPictureBytes, document: maxDocumentBytes }

/** Takes a file that the user chose and sends it. Returns the token that stands for it until then. */
export function addFile(kind: MediaKind, file: File, acteurId: string | null): Token {
  const key = crypto.randomUUID()
  const { name } = file
  put({ key, kind, name, acteurId, file, thumbnail: null, step: { name: 'preparing' } })
  preparing = preparing.then(async () => {
    const prepared = kind === 'image' ? await prepare(file) : { file }
    change(key, { ...prepared, step: { name: prepared.file.size > maxBytes[kind] ? 'too-large' : 'queued' } })
    sendNext()
  })
  return unsentToken(key, name)
}

export function removeFile(key: string): void {
  controllers.get(key)?.abort()
  const others = new Map(uploads.get())
  others.delete(key)
  uploads.set(others)
  sendNext()
}

export function sendAgain(key: string): void {
  change(key, { step: { name: 'queued' } })
  sendNext()
}

connection.subscribe(() => {
  if (connection.get() !== 'ok') return
  for (const { key, step } of uploads.get().values())
    if (step.name === 'waiting') change(key, { step: { name: 'queued' } })
  sendNext()
})

function sendNext(): void {
  const all = [...uploads.get().values()]
  const under = all.filter(({ step }) => step.name === 'sending').length
  for (const upload of all.filter(({ step }) => step.name === 'queued').slice(0, atOnce - under))
    void send(upload)
}

async function send({ key, file, name, acteurId }: Upload): Promise<void> {
  const controller = new AbortController()
  controllers.set(key, controller)
  const { signal } = controller
  const onProgress = (part: number) => change(key, { step: { name: 'sending', part } })
  onProgress(0)
  try {
    const { id } = await sendMedia({ key, file, name, acteurId, signal, onProgress })
    change(key, { step: { name: 'sent', id } })
  } catch (error) {
    const isPassing = error instanceof ApiFailure && error.isPassing
    change(key, { step: isPassing ? { name: 'waiting' } : { name: 'refused', error } })
  } finally {
    controllers.delete(key)
    sendNext()
  }
}

const put = (upload: Upload) => uploads.set(new Map(uploads.get()).set(upload.key, upload))

/** Changes a file that was not removed meanwhile. */
function change(key: string, changed: Partial<Upload>): void {
  const upload = uploads.get().get(key)
  if (upload !== undefined) put({ ...upload, ...changed })
}

/** Returns the id of a file that has been sent since its token was stored; null for any other. */
export function idOfSent(token: Token): string | null {
  const step = uploads.get().get(unsentIn(token)?.key ?? '')?.step
  return step?.name === 'sent' ? step.id : null
}

/** Returns the file of this page that got the id. */
export const uploadOf = (all: ReadonlyMap<string, Upload>, token: Token): Upload | undefined => {
  const key = unsentIn(token)?.key
  if (key !== undefined) return all.get(key)
  return [...all.values()].find(({ step }) => step.name === 'sent' && step.id === token)
}

/** Replaces the tokens of files that have been sent by their ids. */
export const withIds = (text: string): string =>
  textOf(tokensIn(text).map((token) => idOfSent(token) ?? token))

/** A form cannot be sent: some of its files are not on their way. */
export class NotSent extends Error {}

/** Waits for the files of a field that are on their way. Returns its text with ids only. */
export function untilSent(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const left = tokensIn(withIds(text)).flatMap((token) => unsentIn(token)?.key ?? [])
      const isStuck = left.some((key) => !underWay.has(uploads.get().get(key)?.step.name))
      if (left.length > 0 && !isStuck) return
      leave()
      if (isStuck) reject(new NotSent())
      else resolve(withIds(text))
    }
    const leave = uploads.subscribe(look)
    look()
  })
}

const underWay: ReadonlySet<string | undefined> = new Set<Step['name']>(['preparing', 'queued', 'sending'])
