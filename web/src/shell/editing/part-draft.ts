import { useRef, useState } from 'react'
import { parseDraft, useDraft } from '../drafts.ts'
import { Overtaken } from './save.ts'

/** `base`: the stored value on which the draft is based. `key`: idempotency key of a new record, kept across retries. */
type Draft<Value> = { base: Value; mine: Value; key: string }

/**
 * Keeps what the user typed of a record, or of a part of it, with the stored value on which it is based:
 * untouched (as stored) → typed → saved or discarded; typed → behind (a colleague changed the same part) →
 * typed on the newest value, or discarded.
 */
export function usePartDraft<Value extends object>(name: string, stored: Value) {
  const [text, store, clear] = useDraft(name)
  const [key] = useState(() => crypto.randomUUID())
  const typed = parseDraft<Partial<Draft<Value>>>(text)
  // A draft from another version of the application may lack them.
  const draft = typed?.base && typed.mine ? (typed as Draft<Value>) : { base: stored, mine: stored, key }
  const { base, mine } = draft
  const latest = useRef(mine)
  latest.current = mine
  const kept = rebased(mine, base, stored)
  const change = (next: Value) => {
    latest.current = next
    if (same(next, base)) clear()
    else store(JSON.stringify({ ...draft, mine: next }))
  }
  const again = (value: Value) => store(JSON.stringify({ ...draft, mine: value, key: crypto.randomUUID() }))
  return {
    ...draft,
    stored,
    /** The draft on the newest value: what `keepMine` makes of it. */
    kept,
    isChanged: !same(mine, base),
    isBehind: isOther(stored, draft),
    change,
    /** Changes some fields. A second change before the next render keeps the first. */
    put: (changed: Partial<Value>) => change({ ...latest.current, ...changed }),
    keepMine: () =>
      same(kept, stored) ? clear() : store(JSON.stringify({ ...draft, base: stored, mine: kept })),
    /** Throws `Overtaken` if the value that is about to be replaced is not the one on which the draft is based. */
    requireBase: (newest: Value) => {
      if (isOther(newest, draft)) throw new Overtaken()
    },
    /** After the response about a new record was lost: the next request creates another one. */
    renewKey: () => again(mine),
    /** Brings back what was typed for a record that is not wanted any more. */
    again,
    clear,
  }
}
export type PartDraft<Value extends object> = ReturnType<typeof usePartDraft<Value>>

/** Whether a colleague changed the value. The same change as in the draft, such as its own save, is no conflict. */
const isOther = <Value>(newest: Value, { base, mine }: Draft<Value>) =>
  !same(newest, base) && !same(newest, mine)

/** Rebases a draft: fields changed in it keep its values, all others take the newest ones. A list is one value. */
export function rebased<Value extends object>(mine: Value, base: Value, newest: Value): Value {
  if (Array.isArray(mine)) return mine
  const names = Object.keys(newest) as (keyof Value)[]
  return Object.fromEntries(
    names.map((name) => [name, same(mine[name], base[name]) ? newest[name] : mine[name]]),
  ) as Value
}

export const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
