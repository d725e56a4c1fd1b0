import { parseDate } from '@internationalized/date'
import { type RefObject, useContext, useEffect, useRef } from 'react'
import {
  type DateFieldState,
  DateFieldStateContext,
  TimeFieldStateContext,
  useLocale,
} from 'react-aria-components'
import { flushSync } from 'react-dom'
import { dayInParis } from './moment.ts'
import { beginsDay, type DayLanguage, dayTyped, timeTyped } from './typed-dates.ts'

/** What people write between the parts of a date, and of a time. */
const separators = { day: /^[ /.,-]$/, hour: /^[:h ]$/i }

type TypingProps = {
  /** Contains the parts. */
  place: RefObject<HTMLElement | null>
  isPast: boolean
}

/**
 * Takes what people type or paste into the parts of a date or time besides the digits of each: a word for a day, a whole
 * date or time, the characters between the parts. Completes the year of a date, and the minutes of a time, that are left, or
 * sent, without them: `10h` is 10:00.
 */
export function Typing({ place, isPast }: TypingProps) {
  // Null for a time alone.
  const state = useContext(DateFieldStateContext)
  const time = useContext(TimeFieldStateContext)
  const language: DayLanguage = useLocale().locale.startsWith('en') ? 'en' : 'fr'
  const latest = useRef({ state, time, language, isPast })
  latest.current = { state, time, language, isPast }
  useEffect(() => {
    const parts = place.current
    if (parts === null) return
    const { take, complete } = actionsOn(() => latest.current)
    /** Letters of a word that is being typed, and whether the focused part got a digit since it has the focus. */
    let letters = ''
    let hasDigit = false
    const swallow = (event: Event) => {
      event.preventDefault()
      event.stopPropagation()
    }
    const type = (event: InputEvent) => {
      const { data, target } = event
      const part = target instanceof HTMLElement ? target.dataset.type : undefined
      if (data === null || part === undefined || part === 'dayPeriod') return
      const isOfTime = part === 'hour' || part === 'minute'
      if (/^\d+$/.test(data)) {
        letters = ''
        hasDigit = true
      } else if ((isOfTime ? separators.hour : separators.day).test(data)) {
        swallow(event)
        if (hasDigit) focusAfter(parts, target)
      } else if (!isOfTime && latest.current.state !== null) {
        swallow(event)
        const all = letters + data
        letters = beginsDay(all, latest.current.language) ? all : data
        take(letters)
      }
    }
    const paste = (event: ClipboardEvent) => {
      swallow(event)
      take(event.clipboardData?.getData('text') ?? '')
    }
    const start = () => {
      letters = ''
      hasDigit = false
    }
    const leave = ({ relatedTarget }: FocusEvent) => {
      if (!(relatedTarget instanceof Node && parts.contains(relatedTarget))) complete()
    }
    const send = ({ key }: KeyboardEvent) => {
      if (key !== 'Enter') return
      complete()
      parts.closest('form')?.requestSubmit()
    }
    parts.addEventListener('beforeinput', type, true)
    parts.addEventListener('paste', paste, true)
    parts.addEventListener('focusin', start)
    parts.addEventListener('focusout', leave, true)
    parts.addEventListener('keydown', send, true)
    return () => {
      parts.removeEventListener('beforeinput', type, true)
      parts.removeEventListener('paste', paste, true)
      parts.removeEventListener('focusin', start)
      parts.removeEventListener('focusout', leave, true)
      parts.removeEventListener('keydown', send, true)
    }
  }, [place])
  return null
}

type Latest = {
  state: DateFieldState | null
  /** Null for a date. */
  time: DateFieldState | null
  language: DayLanguage
  isPast: boolean
}

function actionsOn(latest: () => Latest) {
  const today = () => dayInParis(new Date())
  const put = (day: string) => {
    const date = parseDate(day)
    const { state } = latest()
    if (state === null || state.isReadOnly) return
    if (state.granularity === 'day') return flushSync(() => state.setValue(date))
    if (state.value !== null) {
      const { year, month, day: number } = date
      return flushSync(() => state.setValue(state.value?.set({ year, month, day: number }) ?? null))
    }
    // Without a time there is no value yet. Each part sees the one before.
    for (const name of ['year', 'month', 'day'] as const)
      flushSync(() => latest().state?.setSegment(name, date[name]))
  }
  const putTime = (text: string) => {
    const [hour, minute] = timeTyped(text)?.split(':').map(Number) ?? []
    if (hour === undefined || minute === undefined || latest().time?.isReadOnly) return
    flushSync(() => latest().time?.setSegment('hour', hour))
    flushSync(() => latest().time?.setSegment('minute', minute))
  }
  return {
    take(text: string) {
      const { time, language, isPast } = latest()
      if (time !== null) return putTime(text)
      const day = dayTyped(text, today(), language, isPast)
      if (day !== null) put(day)
    },
    /** Adds the year that a day and month were left without, or the century of one of two digits; and the full hour. */
    complete() {
      const { state, time, language, isPast } = latest()
      const any = state ?? time
      if (any === null || any.isReadOnly) return
      const filled = (name: string) => {
        const part = any.segments.find(({ type }) => type === name)
        return part === undefined || part.isPlaceholder ? null : (part.value ?? null)
      }
      if (filled('hour') !== null && filled('minute') === null) flushSync(() => any.setSegment('minute', 0))
      if (state === null) return
      const [day, month, year] = ['day', 'month', 'year'].map(filled)
      const typed = year === null ? dayTyped(`${day}/${month}`, today(), language, isPast) : null
      const full = typed === null ? year && year < 100 && year + 2000 : Number(typed.slice(0, 4))
      if (full) flushSync(() => latest().state?.setSegment('year', full))
    },
  }
}

/** Focuses the part after one, as an arrow key does. */
function focusAfter(parts: HTMLElement, target: EventTarget | null): void {
  const all = [...parts.querySelectorAll<HTMLElement>('[data-type]:not([data-type=literal])')]
  if (target instanceof HTMLElement) all[all.indexOf(target) + 1]?.focus()
}
