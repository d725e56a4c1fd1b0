import { expect, test } from 'vitest'
import { rss } from '../imports.test-kit.ts'
import type { Mapping, SourceType } from '../schema.ts'
import type { ReadItem } from './item.ts'
import { readItems } from './read.ts'

const now = new Date('2026-11-20T12:00:00Z')
const mapping = { external_id: 'id', title: 'titre', body: 'texte' }

type FeedOptions = { contentType?: string; mapping?: Mapping; url?: string }

async function read(type: SourceType, body: string | Buffer, given: FeedOptions = {}): Promise<ReadItem[]> {
  const { contentType = null, url = 'https://m.example/feed/', ...others } = given
  const needsMapping = type === 'csv' || type === 'json'
  const parts = [{ body: Buffer.from(body as string), contentType }]
  const input = { type, url, parts, now, mapping: others.mapping ?? (needsMapping ? mapping : null) }
  return (await Array.fromAsync(readItems(input))).flat()
}

/** Returns the fields of each item. */
const fields = (items: ReadItem[]) =>
  items.map(({ external_id, content, refused }) =>
    refused
      ? { external_id, ...refused }
      : { external_id, ...Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null)) },
  )

test('RSS: guid, title, content before description, link, image', async () => {
  const items = await read(
    'rss',
    `<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>x</title>
     <item><guid>1</guid><title>A &amp;amp; B &lt;i&gt;x&lt;/i&gt;</title><description>court</description>
     <content:encoded><![CDATA[<p onclick="x()">Long</p><script>x</script>]]></content:encoded>
     <link>/un</link><enclosure url="https://m.example/1.jpg" type="image/jpeg" length="1"/></item>
     <item><title>Sans guid</title><link>https://m.example/2</link></item></channel></rss>`,
  )
  expect(fields(items)).toEqual([
    {
      external_id: '1',
      title: 'A & B x',
      body: '<p>Long</p>',
      source_url: 'https://m.example/un',
      image_url: 'https://m.example/1.jpg',
    },
    {
      external_id: 'https://m.example/2',
      title: 'Sans guid',
      body: 'Sans guid',
      source_url: 'https://m.example/2',
    },
  ])
})

test.each([
  [
    'Atom',
    `<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><entry><id>urn:1</id><title>Un</title>
     <link rel="self" href="/self"/><link href="/un"/><content type="html">&lt;p&gt;Texte&lt;/p&gt;</content></entry></feed>`,
  ],
  [
    'RDF',
    `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
     <channel rdf:about="x"><title>t</title></channel>
     <item rdf:about="urn:1"><title>Un</title><link>https://m.example/un</link><description>&lt;p&gt;Texte&lt;/p&gt;</description></item></rdf:RDF>`,
  ],
  [
    'JSON Feed',
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 't',
      items: [{ id: 'urn:1', title: 'Un', url: 'https://m.example/un', content_html: '<p>Texte</p>' }],
    }),
  ],
])('reads %s too', async (_format, body) => {
  expect(fields(await read('rss', body))).toEqual([
    { external_id: 'urn:1', title: 'Un', body: '<p>Texte</p>', source_url: 'https://m.example/un' },
  ])
})

const calendar = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n')
const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']

test('an item without a title gets the beginning of its text, with the signs that entities stand for', async () => {
  const text = '&lt;p&gt;L&amp;#39;école &amp;amp; la mairie&lt;/p&gt;&lt;p&gt;a &amp;lt; b&lt;/p&gt;'
  const [mastodon] = fields(
    await read(
      'rss',
      `<rss version="2.0"><channel><title>x</title><item><guid>1</guid><description>${text}</description></item></channel></rss>`,
    ),
  )
  expect(mastodon).toMatchObject({ title: "L'école & la mairie a < b" })
  const [event] = fields(
    await read(
      'ics',
      calendar('BEGIN:VEVENT', 'UID:1', 'DTSTART:20261201T190000Z', 'DESCRIPTION:Tom & Jerry', 'END:VEVENT'),
    ),
  )
  expect(event).toMatchObject({ title: expect.stringMatching(/^Tom & Jerry/) })
})

test('iCalendar: dates in Paris, whatever the zone; the end is exclusive', async () => {
  const items = await read(
    'ics',
    calendar(
      ...event(
        'UID:paris',
        'SUMMARY:Veillée\\, tard',
        'DTSTART;TZID=Europe/Paris:20261201T233000',
        'DTEND;TZID=Europe/Paris:20261202T000000',
        'DESCRIPTION:Au coin\\ndu feu',
        'LOCATION:Salle <A>',
        'URL:https://m.example/v',
      ),
      ...event('UID:utc', 'SUMMARY:UTC', 'DTSTART:20261201T233000Z', 'DURATION:PT26H'),
      ...event('UID:tokyo', 'SUMMARY:Tokyo', 'DTSTART;TZID=Asia/Tokyo:20261202T060000'),
      ...event('UID:days', 'SUMMARY:Jours', 'DTSTART;VALUE=DATE:20261201', 'DTEND;VALUE=DATE:20261204'),
      ...event('UID:day', 'SUMMARY:Jour, replié', '  sur deux lignes', 'DTSTART:20261201'),
    ),
  )
  expect(fields(items)).toEqual([
    {
      external_id: 'paris',
      title: 'Veillée, tard',
      body: '<p>Le mardi 1er décembre, de 23 h 30 à minuit</p>Au coin<br />du feu',
      lieu: { nom: 'Salle <A>', adresse: null, latitude: null, longitude: null },
      source_url: 'https://m.example/v',
      date_debut: '2026-12-01',
      heure_debut: '23:30',
      heure_fin: '00:00',
    },
    {
      external_id: 'utc',
      title: 'UTC',
      body: '<p>Du mercredi 2 décembre à 0 h 30 au jeudi 3 décembre à 2 h 30</p>UTC',
      date_debut: '2026-12-02',
      date_fin: '2026-12-03',
      heure_debut: '00:30',
      heure_fin: '02:30',
    },
    {
      external_id: 'tokyo',
      title: 'Tokyo',
      body: '<p>Le mardi 1er décembre, à 22 h</p>Tokyo',
      date_debut: '2026-12-01',
      heure_debut: '22:00',
    },
    { external_id: 'days', title: 'Jours', body: 'Jours', date_debut: '2026-12-01', date_fin: '2026-12-03' },
    {
      external_id: 'day',
      title: 'Jour, replié sur deux lignes',
      body: 'Jour, replié sur deux lignes',
      date_debut: '2026-12-01',
    },
  ])
})

test('iCalendar: a zone defined in the calendar', async () => {
  const zone = [
    'BEGIN:VTIMEZONE',
    'TZID:Far away',
    'BEGIN:STANDARD',
    'DTSTART:19700101T000000',
    'TZOFFSETFROM:+1200',
    'TZOFFSETTO:+1200',
    'END:STANDARD',
    'END:VTIMEZONE',
  ]
  const body = calendar(...zone, ...event('UID:1', 'SUMMARY:Loin', 'DTSTART;TZID="Far away":20261202T060000'))
  expect(fields(await read('ics', body))).toMatchObject([{ date_debut: '2026-12-01' }])
})

test('iCalendar: expands recurrences for ninety days, with exclusions, moves and cancellations', async () => {
  const items = await read(
    'ics',
    calendar(
      ...event(
        'UID:a',
        'SUMMARY:Marché',
        'DTSTART;TZID=Europe/Paris:20200107T080000',
        'DTEND;TZID=Europe/Paris:20200107T120000',
        'RRULE:FREQ=WEEKLY',
        'EXDATE;TZID=Europe/Paris:20261124T080000',
      ),
      ...event(
        'UID:a',
        'RECURRENCE-ID;TZID=Europe/Paris:20261201T080000',
        'SUMMARY:Marché de Noël',
        'DTSTART;TZID=Europe/Paris:20261202T080000',
      ),
      ...event(
        'UID:a',
        'RECURRENCE-ID;TZID=Europe/Paris:20261208T080000',
        'SUMMARY:Marché',
        'STATUS:CANCELLED',
        'DTSTART;TZID=Europe/Paris:20261208T080000',
      ),
    ),
  )
  const told = items.map(({ title, content }) => `${content?.date_debut} ${title}`)
  expect(told.slice(0, 3)).toEqual([
    '2026-12-02 Marché de Noël',
    '2026-12-08 Annulé : Marché',
    '2026-12-15 Marché',
  ])
  expect(told).toHaveLength(12)
  expect(told.at(-1)).toBe('2027-02-16 Marché')
  expect(new Set(items.map(({ external_id }) => external_id)).size).toBe(12)
})

test('iCalendar: the later of two versions wins; cancelled events are marked', async () => {
  const versions = [
    ...event('UID:a', 'SEQUENCE:2', 'SUMMARY:Nouveau', 'STATUS:CANCELLED', 'DTSTART:20261201T100000Z'),
    ...event('UID:a', 'SEQUENCE:1', 'SUMMARY:Ancien', 'DTSTART:20261201T100000Z'),
  ]
  expect(await read('ics', calendar(...versions))).toMatchObject([
    { title: 'Annulé : Nouveau', isCancelled: true },
  ])
  const all = await read(
    'ics',
    calendar('METHOD:CANCEL', ...event('UID:b', 'SUMMARY:Tout', 'DTSTART:20261201')),
  )
  expect(all).toMatchObject([{ title: 'Annulé : Tout', isCancelled: true }])
})

test('iCalendar: a broken or endlessly recurring event affects no other', async () => {
  const items = await read(
    'ics',
    calendar(
      ...event('UID:1', 'SUMMARY:Sans date'),
      ...event('UID:2', 'DTSTART:garbage', 'SUMMARY:x'),
      ...event('this is no line'),
      ...event('UID:3', 'SUMMARY:x', 'DTSTART:19700101T000000Z', 'RRULE:FREQ=SECONDLY'),
      ...event('UID:4', 'SUMMARY:x', 'DTSTART:20200101', 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'),
      ...event('UID:5', 'SUMMARY:x', 'DTSTART:20200101', 'RRULE:FREQ=NEVER'),
      ...event('UID:6', 'SUMMARY:Bien', 'DTSTART:20261201'),
    ),
  )
  expect(items.filter(({ refused }) => !refused)).toMatchObject([{ title: 'Bien' }])
  expect(items.filter(({ refused }) => refused).length).toBeGreaterThanOrEqual(5)
})

test.each([
  ['semicolons', 'id;titre;texte\n1;Un;"a;b"\n2;Deux;\n'],
  ['commas', 'id,titre,texte\r\n1,Un,a;b\r\n2,Deux,\r\n'],
  [
    'the line by which Excel knows the delimiter',
    'sep=;\r\nid;titre;texte\r\n1;Un;a;b\r\n2;Deux;\r\n'.replace('a;b', '"a;b"'),
  ],
  [
    'the same line with other delimiters in the header',
    '\ufeff"sep=|"\nid|titre|texte|a,b,c,d,e\n1|Un|a;b\n2|Deux|\n',
  ],
  ['a title above the header', 'Marchés, fêtes, concerts\n\nid;titre;texte\n1;Un;"a;b"\n2;Deux;\n'],
  ['a title that fills its row', 'Agenda 2026;;\nHiver;;\nid;titre;texte\n1;Un;"a;b"\n2;Deux;\n'],
  ['tabs, and other columns', 'autre\ttexte\tid\ttitre\nx\ta;b\t1\tUn\nx\t\t2\tDeux\n'],
  ['a byte order mark, case and accents', '\ufeffID;Titre;TEXTE\n1;Un;a;b\n2;Deux\n'.replace('a;b', '"a;b"')],
])('CSV: %s', async (_kind, body) => {
  expect(fields(await read('csv', body))).toEqual([
    { external_id: '1', title: 'Un', body: 'a;b' },
    { external_id: '2', title: 'Deux', body: 'Deux' },
  ])
})

test.each([
  ['2026-12-01', '2026-12-01'],
  ['01/12/2026', '2026-12-01'],
  ['1/12/2026 18:00', '2026-12-01'],
  ['2026-12-01T23:30:00Z', '2026-12-02'],
  ['2026-12-01T23:30:00', '2026-12-01'],
  ['2026-12-01 23:30:00+01:00', '2026-12-01'],
  ['31/02/2026', null],
  ['demain', null],
])('CSV: the date %s is %s', async (given, day) => {
  const body = `id;titre;texte;quand\n1;Un;x;${given}\n`
  const [item] = await read('csv', body, { mapping: { ...mapping, date_debut: 'quand' } })
  expect(item).toMatchObject({
    content: { date_debut: day },
    note: day === null ? 'ignored: invalid date: date_debut' : null,
  })
})

test.each([
  ['2026-12-01T20:30', '2026-12-01T22:30', ['2026-12-01', '2026-12-01', '20:30', '22:30']],
  ['2026-12-01T19:30:00Z', '2026-12-02T01:00:00Z', ['2026-12-01', '2026-12-02', '20:30', '02:00']],
  ['01/12/2026 20h30', '', ['2026-12-01', null, '20:30', null]],
  ['1/12/2026 à 9:05', '01/12/2026', ['2026-12-01', '2026-12-01', '09:05', null]],
  ['2026-12-01T20:00', '2026-12-02T00:00', ['2026-12-01', '2026-12-01', '20:00', '00:00']],
  ['2026-12-01T00:00', '2026-12-03T00:00', ['2026-12-01', '2026-12-03', null, null]],
  ['2026-12-01T20:30', '2026-12-01T19:00', ['2026-12-01', '2026-12-01', '20:30', null]],
  ['2026-12-01', '2026-12-02', ['2026-12-01', '2026-12-02', null, null]],
])('CSV: %s to %s has the stated hours', async (begin, end, expected) => {
  const body = `id;titre;texte;debut;fin\n1;Un;x;${begin};${end}\n`
  const columns = { ...mapping, date_debut: 'debut', date_fin: 'fin' }
  const [item] = await read('csv', body, { mapping: columns })
  const { date_debut, date_fin, heure_debut, heure_fin } = item?.content ?? {}
  expect([date_debut, date_fin, heure_debut, heure_fin]).toEqual(expected)
})

test('iCalendar: events from midnight to midnight, or to 23:59, are whole days', async () => {
  const items = await read(
    'ics',
    calendar(
      ...event('UID:1', 'SUMMARY:x', 'DTSTART:20261201T000000', 'DTEND:20261203T000000'),
      ...event('UID:2', 'SUMMARY:x', 'DTSTART:20261201T000000', 'DTEND:20261201T235900'),
      ...event('UID:3', 'SUMMARY:x', 'DTSTART:20261130T230000Z', 'DTEND:20261201T230000Z'),
    ),
  )
  expect(
    items.map(({ content }) => [content?.date_debut, content?.date_fin, content?.heure_debut, content?.body]),
  ).toEqual([
    ['2026-12-01', '2026-12-02', null, 'x'],
    ['2026-12-01', null, null, 'x'],
    ['2026-12-01', null, null, 'x'],
  ])
})

test('hours are not added to a text that would become too long', async () => {
  const long = 'x'.repeat(19_990)
  const body = calendar(...event('UID:1', 'SUMMARY:x', 'DTSTART:20261201T100000Z', `DESCRIPTION:${long}`))
  expect((await read('ics', body))[0]).toMatchObject({ content: { body: long, heure_debut: '11:00' } })
})

test('JSON: finds the list and its fields by paths', async () => {
  const body = JSON.stringify({
    data: { items: [{ id: 7, nom: { fr: 'Un' }, textes: ['Texte'], lien: 'x' }, { nom: {} }, null, 'x'] },
  })
  const paths = { external_id: 'id', title: 'nom.fr', body: 'textes.0', url: 'lien', items: 'data.items' }
  expect(fields(await read('json', body, { mapping: paths }))).toEqual([
    { external_id: '7', title: 'Un', body: 'Texte', source_url: 'https://m.example/feed/x' },
    ...Array(3).fill({ external_id: null, action: 'rejected', reason: 'it has no identifier' }),
  ])
})

const place = async (...lines: string[]) => {
  const [item] = await read('ics', calendar(...event('UID:1', 'SUMMARY:Un', 'DTSTART:20261201', ...lines)))
  return { lieu: item?.content?.lieu, note: item?.refused ? item.refused.reason : item?.note }
}
const nowhere = { nom: null, adresse: null, latitude: null, longitude: null }

test.each([
  [
    'a name and an address',
    ['LOCATION:Le Bar\\n1 rue B\\, 01000 Bourg'],
    { nom: 'Le Bar', adresse: '1 rue B, 01000 Bourg' },
  ],
  ['a point', ['GEO:46.2051234567;-5.225'], { latitude: 46.205123, longitude: -5.225 }],
  ['an extreme point', ['GEO:-90;180'], { latitude: -90, longitude: 180 }],
  ['a long name, cut at a word', [`LOCATION:${'mot '.repeat(100)}`], { nom: `${'mot '.repeat(48)}mot…` }],
  ['hostile text', ['LOCATION:"><script>\u202ealert(1)</script>'], { nom: '"><script> alert(1)</script>' }],
])('iCalendar: reads the place from %s', async (_, lines, lieu) => {
  expect(await place(...lines)).toEqual({ lieu: { ...nowhere, ...lieu }, note: null })
})

test.each(['91;5', '46.2', '46.2;', 'x;y', 'NaN;NaN', '1e1;5', '46.2;-180.01', '0x10;5'])(
  'iCalendar: ignores the coordinates %s, and says so',
  async (geo) => {
    const note = 'ignored: invalid coordinates'
    expect(await place(`GEO:${geo}`, 'LOCATION:Bar')).toEqual({ lieu: { ...nowhere, nom: 'Bar' }, note })
    expect(await place(`GEO:${geo}`, 'LOCATION: ')).toEqual({ lieu: null, note })
  },
)

test('CSV and JSON: the mapping names the parts of the place', async () => {
  const mapping = {
    ...{ external_id: 'id', title: 'nom', body: 'nom' },
    ...{ 'lieu.nom': 'salle', 'lieu.adresse': 'rue', 'lieu.latitude': 'lat', 'lieu.longitude': 'lon' },
  }
  const lieu = { nom: 'Le Bar', adresse: '1 rue B', latitude: 46.2, longitude: 5 }
  const [row] = await read('csv', 'id;nom;salle;rue;lat;lon\n1;Un;Le Bar;1 rue B;46,2;5', { mapping })
  expect(row?.content?.lieu).toEqual(lieu)
  const paths = {
    ...mapping,
    'lieu.nom': 'lieu.nom',
    'lieu.latitude': 'lieu.point.0',
    'lieu.longitude': 'lieu.point.1',
  }
  const items = [{ id: 1, nom: 'Un', lieu: { nom: 'Le Bar', point: [46.2, 5] }, rue: '1 rue B' }]
  const [item] = await read('json', JSON.stringify(items), { mapping: paths })
  expect(item?.content?.lieu).toEqual(lieu)
})

test('OpenAgenda: French texts, first to last day, place; status 6 means cancelled', async () => {
  const events = [
    {
      uid: 42,
      title: { en: 'Concert', fr: 'Le concert' },
      description: { fr: 'Court' },
      longDescription: { fr: 'Long' },
      timings: [
        { begin: '2026-12-03T20:00:00+01:00', end: '2026-12-03T22:00:00+01:00' },
        { begin: '2026-12-01T20:00:00+01:00', end: '2026-12-01T22:00:00+01:00' },
      ],
      location: { name: 'Salle A', address: '1 rue B', city: 'Bourg', latitude: 46.2, longitude: -5.25 },
      image: { base: 'https://cdn.example/', filename: 'a.jpg' },
      status: 1,
    },
    {
      uid: 43,
      title: { en: 'English only' },
      timings: [{ begin: '2026-12-05', end: 'garbage' }],
      status: 6,
    },
  ]
  expect(fields(await read('openagenda', JSON.stringify({ events })))).toEqual([
    {
      external_id: '42',
      title: 'Le concert',
      body: '<p>Le mardi 1er décembre, de 20 h à 22 h<br />Le jeudi 3 décembre, de 20 h à 22 h</p>Long',
      lieu: { nom: 'Salle A', adresse: '1 rue B, Bourg', latitude: 46.2, longitude: -5.25 },
      date_debut: '2026-12-01',
      date_fin: '2026-12-03',
      heure_debut: '20:00',
      heure_fin: '22:00',
      image_url: 'https://cdn.example/a.jpg',
    },
    {
      external_id: '43',
      title: 'Annulé : English only',
      body: 'Annulé : English only',
      date_debut: '2026-12-05',
    },
  ])
})

const timing = (day: string, hours = ['20', '22']) => ({
  begin: `2026-12-${day}T${hours[0]}:00:00+01:00`,
  end: `2026-12-${day}T${hours[1]}:00:00+01:00`,
})

test('OpenAgenda: a list without details is dated by its first and last time, else by the next', async () => {
  const events = [
    { uid: 1, title: 'Un', firstTiming: timing('01'), lastTiming: timing('01'), nextTiming: null },
    { uid: 2, title: 'Deux', firstTiming: timing('01'), lastTiming: timing('20'), nextTiming: timing('08') },
    { uid: 3, title: 'Trois', nextTiming: timing('08') },
    { uid: 4, title: 'Quatre', timings: [], lastTiming: timing('20') },
  ]
  const items = await read('openagenda', JSON.stringify({ events }))
  const hours = { heure_debut: '20:00', heure_fin: '22:00' }
  expect(fields(items)).toMatchObject([
    { date_debut: '2026-12-01', ...hours, body: '<p>Le mardi 1er décembre, de 20 h à 22 h</p>Un' },
    { date_debut: '2026-12-01', date_fin: '2026-12-20', ...hours, body: 'Deux' },
    { date_debut: '2026-12-08', ...hours },
    { date_debut: '2026-12-20', ...hours },
  ])
  expect(items.map((item) => item.refused === null && item.note)).toEqual([
    null,
    'its times between the first and the last are missing: add detailed=1 to the address',
    null,
    null,
  ])
})

test('an event of an agenda or a calendar without a date that can be read is rejected', async () => {
  const events = [
    { uid: 1, title: 'Un' },
    { uid: 2, title: 'Deux', timings: [{ begin: 'demain' }] },
    { uid: 3, title: 'Trois', timings: [{ begin: 'demain' }, timing('01')] },
  ]
  expect(fields(await read('openagenda', JSON.stringify({ events })))).toMatchObject([
    { action: 'rejected', reason: 'it has no date that can be read: add detailed=1 to the address' },
    { action: 'rejected', reason: 'it has no date that can be read' },
    { date_debut: '2026-12-01' },
  ])
  const farAway = event('UID:1', 'SUMMARY:Loin', 'DTSTART:99991231T233000Z')
  expect(fields(await read('ics', calendar(...farAway)))).toEqual([
    { external_id: '1', action: 'rejected', reason: 'it has no date that can be read' },
  ])
})

const accents = 'id;titre;texte\n1;Été;Œuvre à 5 €\n'
const latin = (text: string) => Buffer.from(text.replace('Œ', '\u008c').replace('€', '\u0080'), 'latin1')
test.each<[string, SourceType, Buffer, string | undefined]>([
  ['Windows-1252 that nobody names', 'csv', latin(accents), undefined],
  [
    'ISO-8859-1 by its header, read as the web reads it',
    'csv',
    latin(accents),
    'text/csv; charset=ISO-8859-1',
  ],
  ['UTF-8', 'csv', Buffer.from(accents), 'text/csv'],
  ['UTF-16 by its mark', 'csv', Buffer.from(`\ufeff${accents}`, 'utf16le'), undefined],
  ['a name that nobody knows', 'csv', Buffer.from(accents), 'text/csv; charset=klingon'],
  [
    'ISO-8859-1 by its XML declaration',
    'rss',
    latin(rss({ guid: '1', title: 'Été', description: 'Œuvre à 5 €' }).replace('UTF-8', 'ISO-8859-1')),
    undefined,
  ],
])('characters: %s', async (_kind, type, body, contentType) => {
  const items = await read(type, body, contentType === undefined ? {} : { contentType })
  expect(fields(items)).toEqual([{ external_id: '1', title: 'Été', body: 'Œuvre à 5 €' }])
})

test('marks bytes that are invalid in the declared character set and continues', async () => {
  const [item] = await read('csv', latin(accents), { contentType: 'text/csv; charset=utf-8' })
  expect(item?.title).toBe('\ufffdt\ufffd')
})

const entities = 'bcdefghij'
  .split('')
  .map((name, index) => `<!ENTITY ${name} "${`&${'abcdefghi'[index]};`.repeat(10)}">`)
const document = (types: string, title: string) =>
  `<?xml version="1.0"?><!DOCTYPE rss [${types}]><rss version="2.0"><channel><title>x</title><item><guid>1</guid><title>${title}</title></item></channel></rss>`

test('hostile: expands no entities of the document and fetches none', async () => {
  const [item] = await read('rss', document(`<!ENTITY a "ha">${entities.join('')}`, '&j;'))
  expect(item?.title).toBe('&j;')
  const file = document('<!ENTITY file SYSTEM "file:///etc/passwd">', '&file;')
  await expect(read('rss', file)).rejects.toThrow('cannot be read as RSS')
})

test('hostile: treats prototype keys as ordinary keys', async () => {
  const paths = { external_id: '__proto__.id', title: 'constructor.name', body: 'toString' }
  const own =
    '[{"__proto__":{"id":"1","polluted":true},"constructor":{"name":"Un"},"toString":"Texte"},{"id":1}]'
  expect(fields(await read('json', own, { mapping: paths }))).toEqual([
    { external_id: '1', title: 'Un', body: 'Texte' },
    { external_id: null, action: 'rejected', reason: 'it has no identifier' },
  ])
  const table = '__proto__;constructor;toString\n1;Un;Texte\n'
  const columns = { external_id: '__proto__', title: 'constructor', body: 'toString' }
  expect(fields(await read('csv', table, { mapping: columns }))).toEqual([
    { external_id: '1', title: 'Un', body: 'Texte' },
  ])
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  await expect(read('csv', 'id;titre\n1;Un\n', { mapping: columns })).rejects.toThrow('mapping.external_id')
})

const tooMuch = /too many parts|cannot be read/
test.each<[string, SourceType, string, RegExp]>([
  ['lists within lists', 'json', '['.repeat(5_000_000), tooMuch],
  ['objects within objects', 'json', '{"a":'.repeat(1_000_000), tooMuch],
  ['a document of nothing but values', 'json', `[${'0,'.repeat(4_000_000)}0]`, tooMuch],
  ['elements within elements', 'rss', `<rss version="2.0"><channel>${'<a>'.repeat(500_000)}`, tooMuch],
  ['nothing but elements', 'rss', `<rss version="2.0"><channel>${'<a/>'.repeat(1_600_000)}`, tooMuch],
  [
    'a quote that is never closed',
    'csv',
    `id;titre;texte\n1;"${'x'.repeat(1_000_000)}`,
    /cannot be read as CSV/,
  ],
  ['components within components', 'ics', 'BEGIN:VCALENDAR\n'.repeat(200_000), /^$/],
  ['no calendar', 'ics', '<html>', /iCalendar/],
  ['no list', 'json', '{"id":1}', /not a list/],
  ['no JSON', 'json', 'oups', /cannot be read as JSON/],
  ['no agenda', 'openagenda', '{"error":"x"}', /no events/],
  ['nothing', 'csv', '', /^$/],
])('hostile: %s', async (_what, type, body, refused) => {
  if (refused.source === '^$') expect(await read(type, body)).toEqual([])
  else await expect(read(type, body)).rejects.toThrow(refused)
})

test('hostile: an overlong field affects only its own item', async () => {
  const huge = 'x'.repeat(150_000)
  const items = await read(
    'json',
    JSON.stringify([
      { id: huge, titre: huge, texte: 'Texte' },
      { id: 2, titre: 'x', texte: huge },
      { id: 3, titre: 'Trois', texte: '<'.repeat(70_000) },
      { id: 4, titre: 'Quatre', texte: '' },
    ]),
  )
  expect(
    items.map(({ external_id, title, refused }) => [
      external_id?.slice(0, 7),
      title?.length,
      refused?.action,
    ]),
  ).toEqual([
    ['sha256:', 200, undefined],
    ['2', 1, 'rejected'],
    ['3', 5, 'rejected'],
    ['4', 6, undefined],
  ])
})

test('hostile: stored text is storable and shown text is harmless', async () => {
  const [item] = await read(
    'json',
    JSON.stringify([
      {
        id: 'a\u0000b',
        titre: 'x\u0000\u202ey \ud800',
        texte: '<img src=x onerror=alert(1)><a href="javascript:alert(1)">lien</a>\u0000',
      },
    ]),
  )
  expect(item).toMatchObject({ external_id: 'a b', content: { body: 'lien' } })
  expect(JSON.stringify(item)).not.toMatch(/\\u0000|\\u202e|\\ud800/)
})

test('reports a repeated identifier and keeps its first occurrence', async () => {
  const items = await read('csv', 'id;titre;texte\n1;Un;x\n1;Deux;y\n')
  expect(items.map(({ refused }) => refused?.action)).toEqual([undefined, 'duplicate'])
})
