import { expect, test } from 'vitest'
import { readItems } from '../read.ts'

const now = new Date('2026-11-20T12:00:00Z')
const calendar = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n')
const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']

async function read(...lines: string[]) {
  const parts = [{ body: Buffer.from(calendar(...lines)), contentType: null }]
  const batches = await Array.fromAsync(
    readItems({ type: 'ics', mapping: null, url: 'https://m.example/', parts, now }),
  )
  return batches.flat()
}

/** Shows of each item its identifier without the UID, its first day and its title, or why it is refused. */
async function told(...lines: string[]): Promise<string[]> {
  return (await read(...lines)).map(({ external_id, title, content, refused }) =>
    refused ? refused.reason : [external_id?.slice(2), content.date_debut, title].filter(Boolean).join(' '),
  )
}

const weekly = [
  'UID:a',
  'SUMMARY:Chorale',
  'DTSTART;TZID=Europe/Paris:20261124T203000',
  'DTEND;TZID=Europe/Paris:20261124T223000',
]
const rest = ['2026-12-08 2026-12-08 Chorale', '2026-12-15 2026-12-15 Chorale']

test.each([
  ['in UTC', 'EXDATE:20261201T193000Z'],
  ['in the zone of the event', 'EXDATE;TZID=Europe/Paris:20261201T203000'],
  ['in another zone', 'EXDATE;TZID=America/New_York:20261201T143000'],
  ['without a zone', 'EXDATE:20261201T203000'],
  ['as a day', 'EXDATE;VALUE=DATE:20261201'],
  ['as the midnight of a day, as Exchange writes', 'EXDATE;TZID=Europe/Paris:20261201T000000'],
  ['among others', 'EXDATE:20261110T193000Z,20261201T193000Z'],
])('a cancelled date is not published: %s', async (_how, exception) => {
  expect(await told(...event(...weekly, 'RRULE:FREQ=WEEKLY;COUNT=4', exception))).toEqual([
    '2026-11-24 2026-11-24 Chorale',
    ...rest,
  ])
})

test.each([
  ['in UTC', 'RECURRENCE-ID:20261201T193000Z'],
  ['in the zone of the event', 'RECURRENCE-ID;TZID=Europe/Paris:20261201T203000'],
  ['as a day', 'RECURRENCE-ID;VALUE=DATE:20261201'],
])('a moved date is published on its new day: %s', async (_how, name) => {
  const moved = event('UID:a', 'SUMMARY:Concert', name, 'DTSTART;TZID=Europe/Paris:20261203T200000')
  expect(await told(...event(...weekly, 'RRULE:FREQ=WEEKLY;COUNT=4'), ...moved)).toEqual([
    '2026-11-24 2026-11-24 Chorale',
    '2026-12-01 2026-12-03 Concert',
    ...rest,
  ])
})

test('UNTIL in UTC is compared as a moment: the last date is included', async () => {
  const until = (time: string) => told(...event(...weekly, `RRULE:FREQ=WEEKLY;UNTIL=${time}`))
  expect(await until('20261201T193000Z')).toHaveLength(2)
  expect(await until('20261201T192959Z')).toHaveLength(1)
  expect(await until('20261201')).toHaveLength(2)
})

test('for whole-day events an exception and a moved date may be written as times', async () => {
  const days = ['UID:a', 'SUMMARY:Foire', 'DTSTART;VALUE=DATE:20261201', 'RRULE:FREQ=DAILY;COUNT=4']
  const moved = event('UID:a', 'SUMMARY:Bal', 'RECURRENCE-ID:20261203T000000', 'DTSTART;VALUE=DATE:20261210')
  expect(await told(...event(...days, 'EXDATE:20261201T230000Z'), ...moved)).toEqual([
    '2026-12-01 2026-12-01 Foire',
    '2026-12-04 2026-12-04 Foire',
    '2026-12-03 2026-12-10 Bal',
  ])
})

test('an override of a date outside the rule is published', async () => {
  const extra = event('UID:a', 'SUMMARY:Extra', 'RECURRENCE-ID:20261202T100000Z', 'DTSTART:20261205T100000Z')
  expect(await told(...event(...weekly, 'RRULE:FREQ=WEEKLY;COUNT=1'), ...extra)).toEqual([
    '2026-11-24 2026-11-24 Chorale',
    '2026-12-02 2026-12-05 Extra',
  ])
})

test('with an exception and a move of the same occurrence, the moved date is published', async () => {
  const moved = (start: string) => event('UID:a', 'SUMMARY:X', 'RECURRENCE-ID:20261201T193000Z', start)
  const series = event(...weekly, 'RRULE:FREQ=WEEKLY;COUNT=2', 'EXDATE:20261201T193000Z')
  expect(await told(...series, ...moved('DTSTART:20261203T193000Z'))).toContain('2026-12-01 2026-12-03 X')
  expect(await told(...series, ...moved('DTSTART:20261201T193000Z'))).toEqual([
    '2026-11-24 2026-11-24 Chorale',
  ])
})

test('an override of a date and all later ones moves all of them', async () => {
  const change = event(
    'UID:a',
    'SUMMARY:Plus tard',
    'RECURRENCE-ID;RANGE=THISANDFUTURE:20261208T193000Z',
    'DTSTART;TZID=Europe/Paris:20261209T210000',
  )
  expect(await told(...event(...weekly, 'RRULE:FREQ=WEEKLY;COUNT=4'), ...change)).toEqual([
    '2026-11-24 2026-11-24 Chorale',
    '2026-12-01 2026-12-01 Chorale',
    '2026-12-08 2026-12-09 Plus tard',
    '2026-12-15 2026-12-16 Plus tard',
  ])
})

test('an exception at another hour is not applied, and a log line says so', async () => {
  const items = await read(...event(...weekly, 'RRULE:FREQ=WEEKLY;COUNT=2', 'EXDATE:20261201T173000Z'))
  expect(items).toMatchObject([{ note: null }, { note: 'an exception names another time on this day' }])
})

test('an event with too many overrides is refused, and no other event is', async () => {
  const changes = Array.from({ length: 3_000 }, (_, index) =>
    event(
      'UID:a',
      `RECURRENCE-ID;RANGE=THISANDFUTURE:${19700101 + (index % 28)}T${10 + (index % 13)}${10 + (index % 47)}00Z`,
      'DTSTART:20261201T100000Z',
    ),
  )
  const other = event('UID:b', 'SUMMARY:Bien', 'DTSTART;VALUE=DATE:20261201')
  expect(await told(...event(...weekly, 'RRULE:FREQ=WEEKLY'), ...changes.flat(), ...other)).toEqual([
    'it changes too often',
    '2026-12-01 Bien',
  ])
})

test('RDATE adds dates to the start, also as periods; several rules are combined', async () => {
  const added = [
    'RDATE:20261201T193000Z',
    'RDATE;VALUE=PERIOD:20261205T100000Z/PT2H,20261206T100000Z/20261208T100000Z',
  ]
  const items = await read(...event(...weekly, ...added))
  expect(items.map(({ content }) => [content?.date_debut, content?.date_fin])).toEqual([
    ['2026-11-24', null],
    ['2026-12-01', null],
    ['2026-12-05', null],
    ['2026-12-06', '2026-12-08'],
  ])
  const rules = ['RRULE:FREQ=WEEKLY;COUNT=2', 'RRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=2']
  expect(await told(...event(...weekly, ...rules))).toHaveLength(4)
})

test('reads real exports: an empty rule, spaces, non-standard parameters, alarms', async () => {
  const messy = event(
    'UID:b',
    'DTSTART;X-APPLE-TRAVEL="a;b:c":20261201T100000Z',
    'RRULE:',
    'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE=Salle "A":geo:1,2',
    'this is no property',
    'SUMMARY;LANGUAGE=fr:Un',
    'BEGIN:VALARM',
    'DESCRIPTION:Rappel',
    'END:VALARM',
  )
  const items = await read(...messy)
  expect(items).toMatchObject([{ title: 'Un', external_id: 'b' }])
  expect(items[0]?.content?.body).not.toContain('Rappel')
  const spaced = [...weekly, 'RRULE:FREQ=WEEKLY;BYDAY=MO, TU;COUNT=3;']
  expect(await told(...event(...spaced))).toHaveLength(3)
})

test.each([
  ['Romance Standard Time', '2026-12-01', null],
  ['/example.org/20260101/Europe/Paris', '2026-12-01', null],
  ['Pacific Standard Time', '2026-12-02', null],
  ['Nowhere', '2026-12-01', 'its time zone is unknown, its times are taken as those of Paris: Nowhere'],
])('the zone %s', async (zone, day, note) => {
  const pacific = [
    ...['BEGIN:VTIMEZONE', 'TZID:Pacific Standard Time', 'BEGIN:STANDARD', 'DTSTART:16010101T020000'],
    ...['TZOFFSETFROM:-0700', 'TZOFFSETTO:-0800', 'RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11', 'END:STANDARD'],
    ...['BEGIN:DAYLIGHT', 'DTSTART:16010101T020000', 'TZOFFSETFROM:-0800', 'TZOFFSETTO:-0700'],
    ...['RRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3', 'END:DAYLIGHT', 'END:VTIMEZONE'],
  ]
  const [item] = await read(
    ...pacific,
    ...event('UID:1', 'SUMMARY:x', `DTSTART;TZID=${zone}:20261201T200000`),
  )
  expect(item).toMatchObject({ content: { date_debut: day }, note })
})

test('an unreadable or too frequent rule publishes nothing, and a log line says so', async () => {
  const repeated = (rule: string) => told(...event(...weekly, `RRULE:${rule}`))
  expect(await repeated('FREQ=WEEKLY;BYDAY=XX')).toEqual(['its rule cannot be read: BYDAY=XX'])
  expect(await repeated('FREQ=YEARLY;BYWEEKNO=1;BYMONTHDAY=3')).toEqual([
    'its rule has parts that exclude each other',
  ])
  expect(await repeated('FREQ=SECONDLY')).toEqual(['it repeats too often'])
  expect(await repeated('FREQ=MINUTELY;INTERVAL=10')).toEqual(['it repeats too often'])
  expect(await repeated('FREQ=WEEKLY;UNTIL=soon')).toEqual(['its rule cannot be read: UNTIL=SOON'])
})

test('a calendar with many endlessly recurring events is refused as a whole', async () => {
  const many = Array.from({ length: 60 }, (_, index) =>
    event(
      `UID:${index}`,
      'SUMMARY:x',
      'DTSTART:19700101T000000Z',
      'RRULE:FREQ=SECONDLY;COUNT=900000;BYSETPOS=-1',
    ),
  )
  await expect(read(...many.flat())).rejects.toThrow('repeat too often')
})
