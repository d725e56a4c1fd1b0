import { useTranslations } from 'use-intl'
import type { Source } from './queries.ts'

/** Sentences of the service about a feed, which it stores in English, with the key of their translation. */
const sentences = [
  [/^The address must be an http/, 'badUrl'],
  [/private or reserved network/, 'privateAddress'],
  [/^The server redirects to something/, 'badRedirect'],
  [/redirects from https to http/, 'insecureRedirect'],
  [/redirects too many times/, 'tooManyRedirects'],
  [/^The host name could not be found/, 'dns'],
  [/^The connection to the server failed/, 'connection'],
  [/^A secure connection/, 'tls'],
  [/did not answer in full within/, 'timeout'],
  [/larger than the size limit/, 'tooLarge'],
  [/could not be decompressed/, 'badEncoding'],
  [/did not answer with valid HTTP/, 'badResponse'],
  [/^The server answered (\d+)/, 'status'],
  [/^It is empty/, 'empty'],
  [/no feed, calendar, table or JSON/, 'unknown'],
  [/web page that names no feed/, 'page'],
  [/no list of items/, 'noList'],
  [/^It cannot be read as JSON/, 'notJson'],
  [/^It cannot be read as RSS/, 'notRss'],
  [/^It cannot be read as iCalendar/, 'notIcs'],
  [/^It cannot be read as CSV from about line (\d+)/, 'notCsv'],
  [/^It cannot be read\.$/, 'unreadable'],
  [/^It has no events/, 'noEvents'],
  [/too many parts|too many pages|more than \d+ items|repeat too often/, 'tooMuch'],
  [/takes too (?:long|much memory)/, 'tooLong'],
  [/no column of the name that mapping\.(\w+)/, 'noColumn'],
  [/^It is not a list|mapping\.items does not lead/, 'noList'],
  [/^It was interrupted/, 'interrupted'],
  [/source is switched off/, 'off'],
  [/^duplicate of another/, 'duplicate'],
  [/^let in, though duplicate/, 'letIn'],
  [/held: /, 'held'],
  [/source has no acteur/, 'noActeur'],
  [/acteur is (?:deleted|inactive)/, 'goneActeur'],
  [/its publication was deleted/, 'deleted'],
  [/^kept as edited here/, 'kept'],
  [/no identifier/, 'noId'],
  [/neither title nor text/, 'noText'],
  [/text is too long|^body /, 'longText'],
  [/identifier occurs twice in the source/, 'twice'],
  // Written by earlier releases.
  [/identifier stands in the source twice/, 'twice'],
  [/ignored: invalid date/, 'badDate'],
  // About an event of a calendar or an agenda.
  [/^it has no date that can be read: add detailed=1/, 'noDateDetailed'],
  [/^it has no date that can be read/, 'noDate'],
  [/^its times between the first and the last are missing/, 'missingTimes'],
  [/^it repeats too often/, 'repeats'],
  [/^it changes too often/, 'changes'],
  [/^it cannot be read as an event/, 'noEvent'],
  [/^its rule cannot be read: (.+)/, 'badRule'],
  [/^its rule /, 'strangeRule'],
  [/an exception names another time on this day/, 'otherTime'],
  [/its time zone is unknown.*: (.+)/, 'zone'],
] as const

/** Returns a function that says sentences of the service in the language of the page; unknown ones stay. */
export function useSaid(): (text: string) => string {
  const words = useTranslations('imports.said')
  const say = (sentence: string) => {
    for (const [pattern, key] of sentences) {
      const found = pattern.exec(sentence)
      if (found) return words(key, { value: found[1] ?? '' })
    }
    return sentence
  }
  return (text) => text.split('; ').map(say).join(' · ')
}

export type SourceState = 'running' | 'paused' | 'off' | 'failing' | 'manual' | 'active'

/** The state of a source: a running one cannot be deleted, and one that paused itself has a reason. */
export function stateOf({ actif, paused_reason, failures, cron, can }: Source): SourceState {
  if (!can.includes('delete')) return 'running'
  if (paused_reason !== null) return 'paused'
  if (!actif) return 'off'
  if (failures > 0) return 'failing'
  return cron === null ? 'manual' : 'active'
}

export const stateTones = {
  running: 'accent',
  paused: 'bad',
  off: 'plain',
  failing: 'warn',
  manual: 'good',
  active: 'good',
} as const

/** Removes the count from the reason of a pause: the last error, as the service said it. */
export const lastErrorOf = (reason: string): string => reason.replace(/^.*The last time: /, '')
