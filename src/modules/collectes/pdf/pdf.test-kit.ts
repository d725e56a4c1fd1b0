/** Sheets of calendars as PDF: words and fields of colour where they are wanted. */

type Rgb = readonly [number, number, number]
type Mark = { x: number; y: number; width: number; height: number; colour: Rgb }
type Text = { x: number; y: number; text: string; size?: number }
export type Page = { width: number; height: number; marks: Mark[]; texts: Text[]; isTurned?: boolean }

/** Places are in points from the top left corner; `y` of a text is that of its base line. */
export function pdfOf(pages: readonly Page[], { trailer = '', objects = [] as string[] } = {}): Buffer {
  const first = 4 + objects.length
  const kids = pages.map((_, index) => `${first + 2 * index} 0 R`)
  const all = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...objects,
    ...pages.flatMap((page, index) => {
      const content = contentOf(page)
      const { width, height, isTurned } = page
      const [box, turn] = isTurned ? [`${height} ${width}`, '/Rotate 90'] : [`${width} ${height}`, '']
      return [
        `<< /Type /Page /Parent 2 0 R ${turn} /MediaBox [0 0 ${box}] /Contents ${first + 2 * index + 1} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  let body = '%PDF-1.7\n'
  const offsets = all.map((object, index) => {
    const at = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${all.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  const end = `trailer\n<< /Size ${all.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${body.length}\n%%EOF\n`
  return Buffer.from(body + table + end, 'latin1')
}

const contentOf = ({ height, marks, texts, isTurned }: Page) =>
  [
    isTurned ? `0 1 -1 0 ${height} 0 cm` : '',
    ...marks.map(
      ({ x, y, width, height: tall, colour }) =>
        `${colour.map((part) => (part / 255).toFixed(3)).join(' ')} rg ${x} ${height - y - tall} ${width} ${tall} re f`,
    ),
    '0 g',
    ...texts.map(
      ({ x, y, text, size = 8 }) =>
        `BT /F1 ${size} Tf ${x} ${height - y} Td (${text.replaceAll(/[()\\]/g, '\\$&').replaceAll('’', "'")}) Tj ET`,
    ),
  ].join('\n')

export const yellow: Rgb = [250, 214, 40]
export const grey: Rgb = [120, 124, 130]
const weekend: Rgb = [225, 225, 228]

export const monthNames = [
  ...['Janvier', 'Février', 'Mars', 'Avril', 'Mai', 'Juin'],
  ...['Juillet', 'Août', 'Septembre', 'Octobre', 'Novembre', 'Décembre'],
]
const letters = ['D', 'L', 'M', 'M', 'J', 'V', 'S']
export const daysOf = (year: number, month: number) =>
  Array.from({ length: new Date(Date.UTC(year, month, 0)).getUTCDate() }, (_, index) => ({
    day: index + 1,
    weekday: new Date(Date.UTC(year, month - 1, index + 1)).getUTCDay(),
    date: new Date(Date.UTC(year, month - 1, index + 1)).toISOString().slice(0, 10),
  }))

/** Every so many weeks from a day on, in its year. */
export function everyWeeks(from: string, weeks: number): string[] {
  const dates: string[] = []
  for (
    let at = Date.parse(from);
    new Date(at).getUTCFullYear() === Number(from.slice(0, 4));
    at += weeks * 7 * 86_400_000
  )
    dates.push(new Date(at).toISOString().slice(0, 10))
  return dates
}

type Rounds = { grey: readonly string[]; yellow: readonly string[] }

/** A year of twelve columns; yellow days have a field in their cell, grey ones half of it. */
export function columnsOf(year: number, rounds: Rounds, { legend = true, start = 1 } = {}): Page {
  const marks: Mark[] = []
  const texts: Text[] = [
    { x: 40, y: 30, text: `Calendrier de collecte ${start === 1 ? year : `${year}-${year + 1}`}`, size: 18 },
  ]
  for (let index = 0; index < 12; index++) {
    const x = 30 + index * 64
    const month = ((start - 1 + index) % 12) + 1
    const its = month < start ? year + 1 : year
    texts.push({ x: x + 12, y: 60, text: monthNames[month - 1] ?? '', size: 9 })
    for (const { day, weekday, date } of daysOf(its, month)) {
      const y = 66 + (day - 1) * 14
      if (weekday % 6 === 0) marks.push({ x, y, width: 64, height: 14, colour: weekend })
      if (rounds.yellow.includes(date))
        marks.push({ x: x + 28, y: y + 1, width: 30, height: 6, colour: yellow })
      if (rounds.grey.includes(date)) marks.push({ x: x + 28, y: y + 7, width: 30, height: 6, colour: grey })
      texts.push(
        { x: x + 2, y: y + 10, text: letters[weekday] ?? '' },
        { x: x + 12, y: y + 10, text: String(day) },
      )
    }
  }
  if (legend)
    for (const [index, [name, colour]] of (
      [
        ['Bac jaune', yellow],
        ['Ordures ménagères', grey],
      ] as const
    ).entries()) {
      marks.push({ x: 40 + index * 180, y: 520, width: 14, height: 10, colour })
      texts.push({ x: 60 + index * 180, y: 529, text: name, size: 10 })
    }
  texts.push({ x: 40, y: 560, text: 'Renseignements : 04 79 01 02 03, de 8 h à 12 h' })
  return { width: 842, height: 595, marks, texts }
}

/** Small months, three in a row, whose days have the ground of their colour; with the numbers of weeks. */
export function monthsOf(year: number, rounds: Rounds): Page {
  const marks: Mark[] = []
  const texts: Text[] = [{ x: 40, y: 40, text: `Vos collectes ${year}`, size: 20 }]
  for (let month = 1; month <= 12; month++) {
    const left = 40 + ((month - 1) % 3) * 180
    const top = 80 + Math.floor((month - 1) / 3) * 150
    texts.push({ x: left + 55, y: top, text: monthNames[month - 1]?.toUpperCase() ?? '', size: 11 })
    let row = 0
    for (const { day, weekday, date } of daysOf(year, month)) {
      const column = (weekday + 6) % 7
      const [x, y] = [left + 20 + column * 20, top + 24 + row * 18]
      if (column === 0 || day === 1)
        texts.push({ x: left, y, text: String((((month - 1) * 4 + row) % 52) + 1), size: 7 })
      const colour = rounds.yellow.includes(date) ? yellow : rounds.grey.includes(date) ? grey : null
      if (colour) marks.push({ x: x - 4, y: y - 11, width: 18, height: 15, colour })
      texts.push({ x, y, text: String(day), size: 9 })
      if (column === 6) row++
    }
  }
  marks.push(
    { x: 40, y: 720, width: 90, height: 16, colour: yellow },
    { x: 160, y: 720, width: 130, height: 16, colour: grey },
  )
  texts.push(
    { x: 46, y: 732, text: 'Bac jaune', size: 10 },
    { x: 166, y: 732, text: 'Ordures ménagères', size: 10 },
  )
  return { width: 595, height: 842, marks, texts }
}

/** Lines of text; a tab begins a second column. */
export function linesPage(lines: readonly string[]): Page {
  const texts = lines.flatMap((line, index) =>
    line.split('\t').map((text, column) => ({ x: 40 + column * 270, y: 50 + index * 16, text, size: 10 })),
  )
  return { width: 595, height: 842, marks: [], texts: texts.filter(({ text }) => text !== '') }
}
