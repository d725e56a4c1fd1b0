import { useRef, useState } from 'react'
import { useDraft } from '../drafts.ts'
import { fillIn, type Template } from './queries.ts'

/**
 * The text of a reason, kept as a draft of this name: typed, or that of a template, filled in for the record. The text of a
 * template may still be loading when the user decides.
 */
export function useReason(draft: string, record: string | null) {
  const [text, setText, clear] = useDraft(draft)
  const [chosen, setChosen] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isTooLong, setTooLong] = useState(false)
  const filled = useRef<{ text: Promise<string>; loaded?: string } | null>(null)
  /** The text of a template that is shown, while a later one may be loading; null: it was typed. */
  const shownTemplate = useRef<string | null>(null)
  return {
    text,
    /** Id of the template whose text is shown. */
    chosen,
    /** Why the text of a template could not be loaded. */
    error,
    isTooLong,
    clear,
    /** Replaces the text by that of a template, which follows what was typed. */
    async choose({ id, body }: Template) {
      setChosen(id)
      setError(null)
      setTooLong(false)
      const isTyped = text !== '' && text.trim() !== body && text !== shownTemplate.current
      const added = record === null ? Promise.resolve(body) : fillIn(id, record)
      const mine: NonNullable<typeof filled.current> = {
        text: isTyped ? added.then((more) => `${text}\n\n${more}`) : added,
      }
      filled.current = mine
      try {
        mine.loaded = await mine.text
        if (filled.current !== mine) return
        shownTemplate.current = mine.loaded
        setText(mine.loaded)
      } catch (failure) {
        if (filled.current === mine) setError(failure)
      }
    },
    type(typed: string) {
      filled.current = null
      shownTemplate.current = null
      setChosen(null)
      setTooLong(false)
      setText(typed)
    },
    /** Returns the text exactly as shown, or the promise of one that is loading; null if it is too long, which is shown. */
    toSend(maxLength: number): string | Promise<string> | null {
      const shown = filled.current === null ? text.trim() : filled.current.loaded
      if (shown !== undefined && shown.length > maxLength) {
        setTooLong(true)
        return null
      }
      return shown ?? filled.current?.text ?? ''
    },
  }
}
