import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { daysIn, expand, type Rule, RuleRefused, readRule, type Start, TooManySteps } from './recurrence.ts'

/** The rules, starts and times of libical's `icalrecur_test.txt` (4.0.3), one to a line; `-` where it refuses the rule. */
const cases = readFileSync(new URL('recurrence.cases.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split(' ') as [rule: string, start: string, times: string])

const wallOf = (text: string) => {
  const [, year, month, day, hour = 0, minute = 0, second = 0] =
    /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2}))?/.exec(text)?.map(Number) ?? []
  return Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour || 0, minute || 0, second || 0)
}
const untilOf = (text: string) => wallOf(text) + (text.includes('T') ? 0 : 86_399_999)
const startOf = (text: string): Start => ({ wall: wallOf(text), isDate: !text.includes('T') })
const end = Date.UTC(2050, 0, 1)

function times(rule: Rule, start: Start, from = start.wall): number[] {
  return [...expand(rule, start, { from, to: end, budget: { steps: 500_000 } })]
}

/** Null if the rule is refused. */
function expanded(text: string, startText: string): number[] | null {
  const start = startOf(startText)
  try {
    return times(readRule(text, start, untilOf), start)
  } catch (error) {
    if (error instanceof RuleRefused) return null
    throw error
  }
}

/** libical counts the start's month alone; others count every month. */
const countedDifferently = ['FREQ=YEARLY;BYMONTHDAY=29;COUNT=3', 'FREQ=YEARLY;BYMONTHDAY=-29,-1;COUNT=4']

test('expands 142 of the 146 rules of libical as libical does, and refuses two others', () => {
  const refused: string[] = []
  for (const [rule, start, expected] of cases) {
    if (countedDifferently.includes(rule)) continue
    const found = expanded(rule, start)
    if (found === null && expected !== '-') refused.push(rule)
    else expect([rule, found]).toEqual([rule, expected === '-' ? null : expected.split(',').map(wallOf)])
  }
  expect(cases).toHaveLength(146)
  // libical counts the interval from another year in each of these.
  expect(refused).toEqual([
    'FREQ=YEARLY;BYWEEKNO=53;INTERVAL=6;BYDAY=TH;COUNT=1',
    'FREQ=YEARLY;BYWEEKNO=53;INTERVAL=5;BYDAY=TH;COUNT=1',
  ])
})

test.each([
  ['FREQ=YEARLY;BYMONTHDAY=29;COUNT=3', '20240229', ['20240229']],
  ['FREQ=YEARLY;BYMONTHDAY=-29,-1;COUNT=4', '20240201', ['20240201', '20240229']],
  ['FREQ=YEARLY;BYMONTHDAY=14;COUNT=13', '20260714', ['20260714', '20270714']],
  ['FREQ=YEARLY;BYMONTHDAY=14;BYMONTH=7;COUNT=2', '20260714', ['20260714', '20270714']],
])('yields the dates on which programs agree, whatever months they count: %s', (rule, start, days) => {
  expect(expanded(rule, start)).toEqual(days.map(wallOf))
})

test('a window contains exactly the dates of the whole series within it', () => {
  for (const [text, startText] of cases) {
    const whole = expanded(text, startText)
    const middle = whole?.[Math.floor(whole.length / 2)]
    if (!whole || middle === undefined) continue
    const start = startOf(startText)
    const rule = readRule(text, start, untilOf)
    expect(times(rule, start, middle)).toEqual(whole.filter((time) => time >= middle))
  }
})

test('a window that ends within a month still knows its last Friday', () => {
  const start = startOf('20260130')
  const rule = readRule('FREQ=MONTHLY;BYDAY=FR;BYSETPOS=-1', start, untilOf)
  const found = (last: string) => [
    ...expand(rule, start, { from: start.wall, to: wallOf(last), budget: { steps: 1_000 } }),
  ]
  expect(found('20260220')).toEqual([wallOf('20260130')])
  expect(found('20260227')).toEqual([wallOf('20260130'), wallOf('20260227')])
})

test.each([
  ['FREQ=WEEKLY;BYDAY=MO, TU;COUNT=2', ['20261201', '20261207']],
  ['freq=weekly;byday=mo;count=1;', ['20261207']],
  ['FREQ=WEEKLY;X-NAME=1;COUNT=1', ['20261201']],
])('reads a rule as exporters write it: %s', (rule, days) => {
  expect(expanded(rule, '20261201')).toEqual(days.map(wallOf))
})

test.each([
  '',
  'FREQ=NEVER',
  'FREQ=DAILY;INTERVAL=0',
  'FREQ=DAILY;COUNT=x',
  'FREQ=MONTHLY;BYMONTHDAY=32',
  'FREQ=MONTHLY;BYMONTHDAY=0',
  'FREQ=MONTHLY;BYDAY=1XX',
  'FREQ=WEEKLY;BYDAY=1MO',
  'FREQ=WEEKLY;BYMONTHDAY=3',
  'FREQ=DAILY;BYYEARDAY=3',
  'FREQ=MONTHLY;BYWEEKNO=3',
  'FREQ=YEARLY;BYWEEKNO=3;BYDAY=1MO',
  'FREQ=DAILY;BYEASTER=1',
  'FREQ=DAILY;WKST=XX',
  'RSCALE=HEBREW;FREQ=YEARLY',
])('refuses a rule that is invalid or disputed: %s', (rule) => {
  expect(expanded(rule, '20261201')).toBeNull()
})

test('expanding a rule uses no more steps than its limit', () => {
  const start = startOf('20200101T000000')
  const rule = readRule(
    'FREQ=MONTHLY;BYMINUTE=0,1,2,3,4,5;BYHOUR=0,1,2;BYSECOND=1,2;BYSETPOS=5',
    start,
    untilOf,
  )
  const range = { from: start.wall, to: end, budget: { steps: 1_000 } }
  expect(() => [...expand(rule, start, range)]).toThrow(TooManySteps)
  expect(daysIn(-1)).toBe(-1)
})
