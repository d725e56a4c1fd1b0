/** Longest title: the first sentence is cut there, between two words. */
const maxTitle = 120

/** Makes title and message of one text: its first line or sentence is the title, the rest the message. */
export function splitText(text: string): { titre: string; message: string } {
  const whole = text.trim()
  const end = /\n|[.!?…](?=\s)/u.exec(whole)
  const first = end === null ? whole : whole.slice(0, end.index + 1)
  if (first.length > maxTitle) return { titre: `${cut(first)}…`, message: whole }
  const titre = first.trim().replace(/\.$/, '')
  const rest = whole.slice(first.length).trim()
  return { titre, message: rest || titre }
}

const cut = (sentence: string) => sentence.slice(0, maxTitle).replace(/\s+\S*$/u, '')
