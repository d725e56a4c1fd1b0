import { describe, expect, test } from 'vitest'
import { cpuMsOf } from '../../../test/support/cpu.ts'
import { fc, propertyRuns } from '../../../test/support/fast-check.ts'
import { type CollecteSchedule, calendarBetween, JOURS, nextRounds, rangs } from './calendar.ts'

const never: CollecteSchedule = {
  jours: [],
  toutes_les_semaines: 1,
  rang: null,
  a_partir_du: null,
  dates: [],
  exceptions: [],
}
const schedule = (fields: Partial<CollecteSchedule>): CollecteSchedule => ({ ...never, ...fields })

const nextDates = (...given: Parameters<typeof nextRounds>) => nextRounds(...given).map(({ date }) => date)

describe('weekdays', () => {
  test('every week from today on, today included', () => {
    const mondays = schedule({ jours: ['lundi'] })
    expect(nextDates(mondays, '2026-11-23', 2)).toEqual(['2026-11-23', '2026-11-30'])
    expect(nextDates(mondays, '2026-11-24', 1)).toEqual(['2026-11-30'])
  })

  test('returns five dates by default, whatever the order of the weekdays', () => {
    const dates = ['2026-11-20', '2026-11-24', '2026-11-27', '2026-12-01', '2026-12-04']
    expect(nextDates(schedule({ jours: ['vendredi', 'mardi', 'vendredi'] }), '2026-11-20')).toEqual(dates)
    expect(nextDates(schedule({ jours: ['mardi'] }), '2026-11-20', 0)).toEqual([])
  })

  test('maps each French weekday correctly', () => {
    const found = JOURS.map((jour) => nextDates(schedule({ jours: [jour] }), '2026-11-16', 1)[0])
    const week = ['16', '17', '18', '19', '20', '21', '22'].map((day) => `2026-11-${day}`)
    expect(found).toEqual(week)
  })

  test('never before the anchor day, even in its week', () => {
    const from = { jours: ['lundi', 'jeudi'], a_partir_du: '2026-12-02' }
    expect(nextDates(schedule(from), '2026-11-01', 2)).toEqual(['2026-12-03', '2026-12-07'])
    const alternate = schedule({ ...from, toutes_les_semaines: 2 })
    expect(nextDates(alternate, '2026-11-01', 3)).toEqual(['2026-12-03', '2026-12-14', '2026-12-17'])
  })

  test('every second week counts whole ISO weeks from the anchor, not days', () => {
    // The anchor is a Friday: the Monday of the next counted week is 10 days later.
    const rounds = schedule({
      jours: ['lundi', 'vendredi'],
      toutes_les_semaines: 2,
      a_partir_du: '2026-11-20',
    })
    expect(nextDates(rounds, '2026-11-21', 2)).toEqual(['2026-11-30', '2026-12-04'])
  })

  test('alternate weeks continue through a year of 53 weeks, where counting odd weeks would fail', () => {
    // 2026 has a week 53, so weeks 53 and 1 are both odd.
    const rounds = schedule({ jours: ['jeudi'], toutes_les_semaines: 2, a_partir_du: '2026-12-14' })
    const dates = ['2026-12-17', '2026-12-31', '2027-01-14', '2027-01-28']
    expect(nextDates(rounds, '2026-12-14', 4)).toEqual(dates)
  })

  test('handles leap days and centuries', () => {
    expect(nextDates(schedule({ jours: ['mardi'] }), '2028-02-23', 2)).toEqual(['2028-02-29', '2028-03-07'])
    expect(nextDates(schedule({ jours: ['lundi'] }), '2100-02-23', 2)).toEqual(['2100-03-01', '2100-03-08'])
    expect(nextDates(schedule({ jours: ['jeudi'] }), '1969-12-20', 2)).toEqual(['1969-12-25', '1970-01-01'])
  })

  test('clock changes in Paris shift no day', () => {
    const sundays = schedule({ jours: ['dimanche'], toutes_les_semaines: 1, a_partir_du: '2026-03-22' })
    expect(nextDates(sundays, '2026-03-22', 2)).toEqual(['2026-03-22', '2026-03-29'])
    expect(nextDates(sundays, '2026-10-20', 2)).toEqual(['2026-10-25', '2026-11-01'])
  })
})

describe('a weekday of the month', () => {
  const wednesdays = (rang: CollecteSchedule['rang'], fields: Partial<CollecteSchedule> = {}) =>
    schedule({ jours: ['mercredi'], rang, ...fields })

  test('the second Wednesday, today included, into the next year', () => {
    const dates = ['2026-11-11', '2026-12-09', '2027-01-13', '2027-02-10', '2027-03-10']
    expect(nextDates(wednesdays(2), '2026-11-11')).toEqual(dates)
    expect(nextDates(wednesdays(2), '2026-11-12', 1)).toEqual(['2026-12-09'])
  })

  test('the last one is the fourth or the fifth, the first one may be the first of the month', () => {
    const last = ['2026-11-25', '2026-12-30', '2027-01-27']
    expect(nextDates(wednesdays(-1), '2026-11-25', 3)).toEqual(last)
    expect(nextDates(wednesdays(1), '2027-08-31', 2)).toEqual(['2027-09-01', '2027-10-06'])
  })

  test('never before its first day', () => {
    expect(nextDates(wednesdays(2, { a_partir_du: '2026-12-10' }), '2026-11-01', 1)).toEqual(['2027-01-13'])
    expect(nextDates(wednesdays(2, { a_partir_du: '2026-12-09' }), '2026-11-01', 1)).toEqual(['2026-12-09'])
  })

  test('an exception moves or drops it, and other dates are added', () => {
    const exceptions = [
      { date: '2026-11-11', reportee_au: '2026-11-12' },
      { date: '2026-12-09', reportee_au: null },
      // Not the second Wednesday.
      { date: '2026-11-18', reportee_au: '2026-11-19' },
    ]
    const moved = wednesdays(2, { exceptions, dates: ['2026-11-20'] })
    expect(nextDates(moved, '2026-11-01', 3)).toEqual(['2026-11-12', '2026-11-20', '2027-01-13'])
    const span = { from: '2026-11-01', to: '2026-11-30', departement: '73' }
    const { days, useless } = calendarBetween(moved, span)
    expect(days.map(({ date, etat }) => [date, etat])).toEqual([
      ['2026-11-11', 'reportee'],
      ['2026-11-12', 'reportee_ici'],
      ['2026-11-20', 'passage'],
    ])
    expect(useless).toEqual(['2026-11-18'])
  })

  test('clock changes in Paris shift no day', () => {
    const sundays = schedule({ jours: ['dimanche'], rang: -1 })
    expect(nextDates(sundays, '2026-03-29', 1)).toEqual(['2026-03-29'])
    expect(nextDates(sundays, '2026-10-01', 2)).toEqual(['2026-10-25', '2026-11-29'])
  })

  test('gives no date with several weekdays or a number that no month has', () => {
    expect(nextDates(wednesdays(2, { jours: ['mercredi', 'jeudi'] }), '2026-11-01')).toEqual([])
    for (const rang of [0, 5, -2, 1.5, Number.NaN])
      expect(nextDates(wednesdays(rang as never), '2026-11-01')).toEqual([])
  })

  test.each([1, 4, 99, 1900, 2000, 2026, 2028, 2100, 9998])(
    'agrees with a list of all days in the year %i',
    (year) => {
      const day = new Date(0)
      const days: string[] = []
      for (
        day.setUTCFullYear(year, 0, 1);
        day.getUTCFullYear() === year;
        day.setUTCDate(day.getUTCDate() + 1)
      )
        days.push(day.toISOString().slice(0, 10))
      const today = days[0] ?? ''
      const months = [...Map.groupBy(days, (date) => date.slice(0, 7)).values()]
      for (const [index, jour] of JOURS.entries())
        for (const rang of rangs) {
          const expected = months.map((month) => {
            // Sunday is 0.
            const own = month.filter((date) => new Date(`${date}T00:00:00Z`).getUTCDay() === (index + 1) % 7)
            return own.at(rang === -1 ? -1 : rang - 1)
          })
          expect(nextDates(schedule({ jours: [jour], rang }), today, 12)).toEqual(expected)
        }
    },
  )

  test('ends at the last representable day', () => {
    const fridays = schedule({ jours: ['vendredi'], rang: -1 })
    expect(nextDates(fridays, '9999-11-30', Number.POSITIVE_INFINITY)).toEqual(['9999-12-31'])
  })
})

describe('explicit dates', () => {
  test('sorted, without duplicates or past dates', () => {
    const dates = ['2027-03-01', '2026-12-01', '2026-11-19', '2026-12-01', '2026-11-20']
    expect(nextDates(schedule({ dates }), '2026-11-20')).toEqual(['2026-11-20', '2026-12-01', '2027-03-01'])
  })

  test('combined with weekdays, and independent of the anchor', () => {
    const both = schedule({
      jours: ['lundi'],
      a_partir_du: '2026-12-01',
      dates: ['2026-11-25', '2026-12-07', '2026-12-09'],
    })
    expect(nextDates(both, '2026-11-20', 4)).toEqual(['2026-11-25', '2026-12-07', '2026-12-09', '2026-12-14'])
  })
})

describe('exceptions', () => {
  const fridays = (...exceptions: CollecteSchedule['exceptions']) =>
    schedule({ jours: ['vendredi'], a_partir_du: '2026-01-02', exceptions })
  const christmas = '2026-12-25'

  test('a collection is moved, later or earlier, or cancelled', () => {
    const moved = fridays(
      { date: christmas, reportee_au: '2026-12-26' },
      { date: '2027-01-01', reportee_au: '2026-12-30' },
      { date: '2027-01-08', reportee_au: null },
    )
    expect(nextDates(moved, '2026-12-20', 3)).toEqual(['2026-12-26', '2026-12-30', '2027-01-15'])
  })

  test('an explicit date is moved as well', () => {
    const exceptions = [{ date: christmas, reportee_au: '2026-12-28' }]
    expect(nextDates(schedule({ dates: [christmas], exceptions }), '2026-12-25')).toEqual(['2026-12-28'])
  })

  test('finds a collection moved from the past to today or later, however long ago it was', () => {
    const late = fridays({ date: christmas, reportee_au: '2026-12-26' })
    expect(nextDates(late, '2026-12-26', 2)).toEqual(['2026-12-26', '2027-01-01'])
    const veryLate = fridays({ date: '2026-01-09', reportee_au: '2027-06-01' })
    expect(nextDates(veryLate, '2027-06-01', 1)).toEqual(['2027-06-01'])
  })

  test('drops a collection moved into the past', () => {
    expect(nextDates(fridays({ date: christmas, reportee_au: '2026-12-23' }), '2026-12-24', 1)).toEqual([
      '2027-01-01',
    ])
  })

  test('a collection moved onto another one gives a single date', () => {
    const merged = fridays({ date: christmas, reportee_au: '2027-01-01' })
    expect(nextDates(merged, '2026-12-20', 2)).toEqual(['2027-01-01', '2027-01-08'])
  })

  test('an exception on a day without a collection does nothing', () => {
    const idle = fridays(
      { date: '2026-12-24', reportee_au: '2026-12-23' },
      { date: '2025-12-26', reportee_au: '2026-12-22' },
    )
    expect(nextDates(idle, '2026-12-20', 1)).toEqual([christmas])
  })

  test('of several exceptions for a day the last one counts', () => {
    const twice = fridays(
      { date: christmas, reportee_au: '2026-12-24' },
      { date: christmas, reportee_au: '2026-12-26' },
    )
    expect(nextDates(twice, '2026-12-20', 2)).toEqual(['2026-12-26', '2027-01-01'])
    const span = { from: '2026-12-24', to: '2026-12-26', departement: '73' }
    const plain = { reportee_au: null, jour_ferie: false }
    expect(calendarBetween(twice, span).days).toEqual([
      { date: christmas, etat: 'reportee', ...plain, reportee_au: '2026-12-26' },
      { date: '2026-12-26', etat: 'reportee_ici', ...plain },
    ])
  })

  test('a collection moved onto a day is not moved again by an exception on that day', () => {
    const chain = [
      { date: christmas, reportee_au: '2026-12-26' },
      { date: '2026-12-26', reportee_au: '2026-12-28' },
    ]
    expect(nextDates(fridays(...chain), '2026-12-20', 2)).toEqual(['2026-12-26', '2027-01-01'])
    const both = schedule({ jours: ['vendredi', 'samedi'], exceptions: chain })
    expect(nextDates(both, '2026-12-24', 3)).toEqual(['2026-12-26', '2026-12-28', '2027-01-01'])
  })
})

describe('invalid content', () => {
  test('ignores unreadable values without throwing', () => {
    const odd = schedule({
      jours: ['LUNDI', '', 'monday', '__proto__'],
      dates: [
        '2026-02-30',
        '2027-02-29',
        '2026-13-01',
        '26-12-01',
        '2026-12-01T00:00',
        'infinity',
        '',
        '2026-12-01',
      ],
      exceptions: [
        { date: 'Noël', reportee_au: '2026-12-02' },
        { date: '2026-12-01', reportee_au: 'plus tard' },
      ],
    })
    expect(nextDates(odd, '2026-11-20')).toEqual([])
    expect(nextDates({ ...odd, exceptions: [] }, '2026-11-20')).toEqual(['2026-12-01'])
    expect(nextDates(schedule({ jours: ['lundi'] }), 'hier')).toEqual([])
  })

  test('weekdays without an anchor week give no date', () => {
    const mondays = (toutes_les_semaines: number, a_partir_du: string | null) =>
      nextDates(schedule({ jours: ['lundi'], toutes_les_semaines, a_partir_du }), '2026-11-20')
    expect(mondays(2, null)).toEqual([])
    expect(mondays(1, '2026-02-30')).toEqual([])
    for (const every of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(mondays(every, '2026-01-05')).toEqual([])
    }
  })

  test('ends at the last representable day', () => {
    const weekEnds = schedule({ jours: ['vendredi', 'samedi'] })
    expect(nextDates(weekEnds, '9999-12-25')).toEqual(['9999-12-25', '9999-12-31'])
    const far = schedule({ jours: ['lundi'], toutes_les_semaines: 52, a_partir_du: '9999-12-31' })
    expect(nextDates(far, '2026-11-20')).toEqual([])
    expect(nextDates(far, '9999-12-31', Number.POSITIVE_INFINITY)).toEqual([])
  })

  test('stays fast when every collection is cancelled and with 10 000 dates', () => {
    const every52 = schedule({ jours: ['lundi'], toutes_les_semaines: 52, a_partir_du: '2026-01-05' })
    const rounds = nextDates(every52, '2026-01-05', Number.POSITIVE_INFINITY)
    const dropped = { ...every52, exceptions: rounds.map((date) => ({ date, reportee_au: null })) }
    const dates = nextDates(schedule({ jours: [...JOURS] }), '2020-01-01', 10_000)
    expect(rounds.length).toBe(8002)
    const spentMs = cpuMsOf(() => {
      expect(nextDates(dropped, '2026-01-05')).toEqual([])
      expect(nextDates(schedule({ dates }), '2026-11-20', 1)).toEqual(['2026-11-20'])
    })
    expect(spentMs).toBeLessThan(1_000)
  })
})

test('agrees with a model that walks day by day', () => {
  const day = fc.integer({ min: 0, max: 120 }).map((offset) => plusDays('2026-11-01', offset))
  const schedules = fc.record({
    ...{ jours: fc.subarray([...JOURS]), a_partir_du: day },
    ...{ toutes_les_semaines: fc.integer({ min: 1, max: 5 }), rang: fc.constant(null) },
    dates: fc.array(day, { maxLength: 4 }),
    exceptions: fc.array(fc.record({ date: day, reportee_au: fc.option(day) }), { maxLength: 25 }),
  })
  const monthly = fc
    .tuple(schedules, fc.constantFrom(...JOURS), fc.constantFrom(...rangs))
    .map(([given, jour, rang]) => ({ ...given, jours: [jour], toutes_les_semaines: 1, rang }))
  fc.assert(
    fc.property(fc.oneof(schedules, monthly), day, fc.integer({ min: 0, max: 8 }), (given, today, count) => {
      expect(nextDates(given, today, count)).toEqual(walk(given, today, count))
      if (given.toutes_les_semaines === 1) {
        const open = { ...given, a_partir_du: null }
        expect(nextDates(open, today, count)).toEqual(walk(open, today, count))
      }
    }),
    { numRuns: propertyRuns(2) },
  )
})

/** Walks from the first possible collection far past the last needed one: slow and obviously correct. */
function walk(
  { jours, toutes_les_semaines, rang, a_partir_du, dates, exceptions }: CollecteSchedule,
  today: string,
  count: number,
) {
  const days: string[] = []
  let weeks = 0
  // 2026-10-26 is a Monday before every date of the property.
  for (let day = '2026-10-26', i = 0; i < 1500; day = plusDays(day, 1), i++) {
    const jour = JOURS[i % 7] ?? ''
    if (a_partir_du !== null && day <= a_partir_du && jour === 'lundi') weeks = 0
    else if (jour === 'lundi') weeks++
    const inWeek = weeks % toutes_les_semaines === 0 && (a_partir_du === null || day >= a_partir_du)
    const isLast = plusDays(day, 7).slice(0, 7) !== day.slice(0, 7)
    const inMonth = rang === -1 ? isLast : rang === null || Math.ceil(Number(day.slice(8)) / 7) === rang
    if (!dates.includes(day) && !(jours.includes(jour) && inWeek && inMonth)) continue
    const applied = exceptions.findLast(({ date }) => date === day)
    const kept = applied === undefined ? day : applied.reportee_au
    if (kept !== null) days.push(kept)
  }
  return [...new Set(days)]
    .filter((date) => date >= today)
    .sort()
    .slice(0, count)
}

function plusDays(date: string, days: number): string {
  const at = new Date(`${date}T12:00:00Z`)
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString().slice(0, 10)
}
