import { JOURS } from '../../communes/calendar.ts'

/** A text as it stands in the demo files, read but not yet filled in. */
export type DemoTexte = {
  type: string
  title: string
  lines: string[]
  /** Days from the load to its first day; null: it has none. */
  offset: number | null
  jour: (typeof JOURS)[number] | null
  duration: number | null
  marks: Set<string>
  par: string | null
  communes: string[]
  source: string | null
  raison: string | null
  signalements: { category: string; message: string | null }[]
}

/** Texts stand apart by an empty line. */
export function parseTextes(text: string): DemoTexte[] {
  return text.trim().split('\n\n').map(parseTexte)
}

const headForm = /^(\w+)(?: ([+-]\d+))?(?: ([a-z]+di|dimanche))?(?: pour (\d+))?(?: \[([^\]]*)\])? \| (.+)$/
const factForm = /^(par|communes|source|raison|signalement): (.*)$/

function parseTexte(block: string): DemoTexte {
  const [head = '', ...rest] = block.split('\n')
  const [, type, offset, weekday, duration, marks = '', title] = headForm.exec(head) ?? []
  if (type === undefined || title === undefined) throw new Error(`This is no head of a demo text: ${head}`)
  const facts = rest.flatMap((line) => {
    const [, name = '', value = ''] = factForm.exec(line) ?? []
    return name === '' ? [] : [{ name, value }]
  })
  const fact = (name: string) => facts.find((one) => one.name === name)?.value ?? null
  return {
    type,
    title,
    lines: rest.filter((line) => !factForm.test(line)),
    offset: offset === undefined ? null : Number(offset),
    jour: JOURS.find((jour) => jour === weekday) ?? null,
    duration: duration === undefined ? null : Number(duration),
    marks: new Set(marks.split(' ')),
    par: fact('par'),
    communes: fact('communes')?.split(' ') ?? [],
    source: fact('source'),
    raison: fact('raison'),
    signalements: facts.filter(({ name }) => name === 'signalement').map(({ value }) => signalement(value)),
  }
}

function signalement(value: string) {
  const [category = 'other', message = ''] = value.split(' - ')
  return { category: category.trim(), message: message.trim() || null }
}
