import type { Refusal } from '../decoded.ts'
import { readObjects } from './objects.ts'
import { isDictionary, isName, isReference, isText, Malformed, type Value } from './syntax.ts'

/** Names that only a document with such a thing has, as a key or as a value. */
const refusedNames = new Map<string, Refusal>([
  ['Encrypt', 'pdf_password'],
  ['JavaScript', 'pdf_script'],
  ['XFA', 'pdf_script'],
  ['Rendition', 'pdf_script'],
  ['Launch', 'pdf_launch'],
  ['EmbeddedFile', 'pdf_files'],
  ['EmbeddedFiles', 'pdf_files'],
  ['FileAttachment', 'pdf_files'],
  ['RichMedia', 'pdf_media'],
  ['RichMediaContent', 'pdf_media'],
  ['RichMediaExecute', 'pdf_media'],
  ['GoTo3DView', 'pdf_media'],
  ['GoToR', 'pdf_actions'],
  ['GoToE', 'pdf_actions'],
  ['GoToDp', 'pdf_actions'],
  ['SubmitForm', 'pdf_actions'],
  ['ImportData', 'pdf_actions'],
  ['ResetForm', 'pdf_actions'],
  ['SetOCGState', 'pdf_actions'],
])

/** Names that say what an action does: elsewhere they are common words. */
const refusedActions = new Map<string, Refusal>([
  ['Sound', 'pdf_media'],
  ['Movie', 'pdf_media'],
  ['Named', 'pdf_actions'],
  ['Hide', 'pdf_actions'],
  ['Thread', 'pdf_actions'],
  ['Trans', 'pdf_actions'],
])
const allowedActions = new Set(['GoTo', 'URI'])

const refusedSubtypes = new Map<string, Refusal>(
  ['Sound', 'Movie', 'Screen', '3D'].map((name) => [name, 'pdf_media']),
)

/** A link to the web, to a mail program or a telephone. A word alone would be a file beside the document, or of a share. */
const allowedAddress = /^(?:https?:\/\/|mailto:|tel:|www\.|#|$)/i

/** Returns why a PDF is refused by one of its objects; null when it is not. It is refused too if one cannot be read. */
export function refusalOfObjects(file: Buffer): Refusal | null {
  const found = new Set<Refusal>()
  const usedAs = { address: new Set<number>(), file: new Set<number>() }
  const texts = new Map<number, 'address' | 'other'>()

  function check(value: Value): void {
    if (Array.isArray(value)) for (const each of value) check(each)
    else if (isName(value)) checkName(value.name)
    else if (isDictionary(value)) for (const [key, each] of value.entries) checkEntry(key, each)
    if (isDictionary(value)) checkAction(value.entries)
  }

  function checkName(name: string): void {
    const refusal = refusedNames.get(name)
    if (refusal !== undefined) found.add(refusal)
  }

  function checkEntry(key: string, value: Value): void {
    checkName(key)
    check(value)
    if (isName(value)) {
      const refusal =
        key === 'S' ? refusedActions.get(value.name) : key === 'Subtype' && refusedSubtypes.get(value.name)
      if (refusal) found.add(refusal)
    }
    if (key === 'EF') found.add('pdf_files')
    if (key === 'URI' || key === 'Base') {
      if (isReference(value)) usedAs.address.add(value.reference)
      else if (!isDictionary(value) && !isAllowedAddress(value)) found.add('pdf_actions')
    }
    // The name of another file, of which the document shows a part.
    if (key === 'F' || key === 'UF') {
      if (isReference(value)) usedAs.file.add(value.reference)
      else if (isText(value)) found.add('pdf_actions')
    }
  }

  /** Refuses each action but two, also if it is none that anybody knows. */
  function checkAction(entries: [string, Value][]): void {
    const isAction = entries.some(
      ([key, value]) => key === 'Type' && isName(value) && value.name === 'Action',
    )
    if (!isAction) return
    for (const [key, value] of entries)
      if (key === 'S' && !(isName(value) && allowedActions.has(value.name))) found.add('pdf_actions')
  }

  /** A value that stands by itself may be meant by any key. */
  function checkAlone(value: Value, number: number): void {
    if (isName(value)) {
      const refusal = refusedActions.get(value.name) ?? refusedSubtypes.get(value.name)
      if (refusal !== undefined) found.add(refusal)
    }
    if (isText(value) && texts.get(number) !== 'other')
      texts.set(number, isAllowedAddress(value) ? 'address' : 'other')
    // No program lets an object stand for another one.
    if (isReference(value)) found.add('pdf_damaged')
  }

  try {
    readObjects(file, (value, number) => {
      check(value)
      if (number !== null) checkAlone(value, number)
    })
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    found.add('pdf_damaged')
  }
  for (const number of usedAs.address) if (texts.get(number) === 'other') found.add('pdf_actions')
  for (const number of usedAs.file) if (texts.has(number)) found.add('pdf_actions')
  return mostTelling.find((each) => found.has(each)) ?? null
}

const isAllowedAddress = (value: Value) => isText(value) && allowedAddress.test(value.text)

/** Of several reasons, the one from which whoever sent the file learns most. */
const mostTelling: Refusal[] = [
  ...(['pdf_password', 'pdf_script', 'pdf_launch', 'pdf_files', 'pdf_media', 'pdf_actions'] as const),
  'pdf_damaged',
]
