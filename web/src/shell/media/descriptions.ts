import { createStore } from '../../api/store.ts'
import { parseDraft, readDraft, useDraft, writeDraft } from '../drafts.ts'
import { type Description, describe } from './queries.ts'
import { type Token, unsentIn } from './tokens.ts'

/** Descriptions that could not be saved, by picture. */
const failures = createStore<ReadonlyMap<string, unknown>>(new Map())
const saving = new Map<string, Promise<void>>()

/** What is typed about a picture outlives the page, also before the picture has been sent. */
const nameOf = (token: Token) => `alt.${unsentIn(token)?.key ?? token}`

/** The description of a picture: as it is typed, else as it is stored. */
export function useDescription(token: Token, stored: Description) {
  const [draft, store] = useDraft(nameOf(token))
  const error = failures.use().get(token) ?? null
  const value = parseDraft<Description>(draft) ?? stored
  return {
    ...value,
    error,
    change: (changed: Partial<Description>) => {
      const next = { ...value, ...changed }
      const isSame = next.alt === stored.alt && next.decorative === stored.decorative
      store(isSame ? '' : JSON.stringify(next))
    },
    save: () => {
      if (unsentIn(token) === null) void saveDescription(token).catch(() => {})
    },
  }
}

/** Moves what was typed about a picture before it was sent, and saves it. */
export function moveDescription(token: Token, id: string): void {
  const draft = readDraft(nameOf(token))
  if (draft === '') return
  writeDraft(nameOf(id), draft)
  writeDraft(nameOf(token), '')
  void saveDescription(id).catch(() => {})
}

export const dropDescription = (token: Token) => writeDraft(nameOf(token), '')

/** Saves what was typed about pictures. Throws the first failure; each is shown at its picture. */
export async function saveDescriptions(ids: readonly string[]): Promise<void> {
  for (const id of ids) await saveDescription(id)
}

/** Saves one after the other, so that the last text typed is the last one saved. */
function saveDescription(id: string): Promise<void> {
  const before = saving.get(id) ?? Promise.resolve()
  const next = before.catch(() => {}).then(() => saveNow(id))
  saving.set(id, next)
  return next
}

async function saveNow(id: string): Promise<void> {
  const draft = readDraft(nameOf(id))
  const description = parseDraft<Description>(draft)
  if (description === null) return
  try {
    await describe(id, description)
    fail(id, null)
    if (readDraft(nameOf(id)) === draft) writeDraft(nameOf(id), '')
  } catch (error) {
    fail(id, error)
    throw error
  }
}

function fail(id: string, error: unknown): void {
  const all = new Map(failures.get())
  if (error === null) all.delete(id)
  else all.set(id, error)
  failures.set(all)
}
