import { createStore } from '../../api/store.ts'
import { parseDraft, readDraft, useDraft, writeDraft } from '../drafts.ts'
import { type Description, describe } from './queries.ts'
import { type Token, unsentIn } from './tokens.ts'

/** Descriptions that could not be saved, by picture or document. */
const failures = createStore<ReadonlyMap<string, unknown>>(new Map())
const saving = new Map<string, Promise<void>>()

/** What is typed about a file outlives the page, also before the file has been sent. */
const nameOf = (token: Token) => `alt.${unsentIn(token)?.key ?? token}`

/** The description of a file: as it is typed, else as it is stored. */
export function useDescription<Described extends Description>(token: Token, stored: Described) {
  const [draft, store] = useDraft(nameOf(token))
  const error = failures.use().get(token) ?? null
  const value = parseDraft<Described>(draft) ?? stored
  return {
    ...value,
    error,
    change: (changed: Partial<Described>) => {
      const next = { ...value, ...changed }
      const isSame = Object.entries(stored).every(([name, value]) => next[name as keyof Described] === value)
      store(isSame ? '' : JSON.stringify(next))
    },
    save: () => {
      if (unsentIn(token) === null) void saveDescription(token).catch(() => {})
    },
  }
}

/** Moves what was typed about a file before it was sent, and saves it. */
export function moveDescription(token: Token, id: string): void {
  const draft = readDraft(nameOf(token))
  if (draft === '') return
  writeDraft(nameOf(id), draft)
  writeDraft(nameOf(token), '')
  void saveDescription(id).catch(() => {})
}

export const dropDescription = (token: Token) => writeDraft(nameOf(token), '')

/** Saves what was typed about files. Throws the first failure; each is shown at its file. */
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
