import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Icon } from '../../ui/icon.tsx'
import { Soft } from '../../ui/layout.tsx'
import { useDescription } from './descriptions.ts'
import styles from './media.module.css'
import { nameOfFile } from './media-row.tsx'
import { mediaQuery, thumbnailOf } from './queries.ts'
import { type Token, tokensIn, unsentIn } from './tokens.ts'
import { uploadOf, useUploads } from './uploads.ts'

/** Pictures of a form as readers will see them: the cover large, the others small. */
export function DraftPictures({ tokens }: { tokens: string }) {
  const all = tokensIn(tokens)
  if (all.length === 0) return null
  return (
    <div className={styles.preview}>
      {all.map((token) => (
        <DraftPicture key={token} token={token} />
      ))}
    </div>
  )
}

function DraftPicture({ token }: { token: Token }) {
  const upload = uploadOf(useUploads(), token)
  const isSent = unsentIn(token) === null
  const { data } = useQuery({ ...mediaQuery(token), enabled: isSent })
  const largest = data?.src[1600] ?? data?.src[800] ?? data?.src[400]
  const source = largest?.webp ?? upload?.thumbnail ?? (isSent ? thumbnailOf(token) : null)
  return source === null ? null : <img src={source} alt={data?.alt ?? ''} />
}

/** Documents of a form as readers will see them: first page, name, number of pages. */
export function DraftDocuments({ tokens }: { tokens: string }) {
  const all = tokensIn(tokens)
  if (all.length === 0) return null
  return (
    <ul className={styles.list}>
      {all.map((token) => (
        <DraftDocument key={token} token={token} />
      ))}
    </ul>
  )
}

function DraftDocument({ token }: { token: Token }) {
  const words = useTranslations('media')
  const unsent = unsentIn(token)
  const { data } = useQuery({ ...mediaQuery(token), enabled: unsent === null })
  const { nom } = useDescription(token, { nom: data?.nom ?? nameOfFile(unsent?.name ?? '') })
  return (
    <li className={styles.document}>
      <span className={styles.frame}>
        {unsent === null ? <img src={thumbnailOf(token)} alt="" /> : <Icon name="document" />}
      </span>
      <span className={styles.place}>
        <span className={styles.name}>{nom}</span>
        {data?.pages && <Soft>{words('pages', { pages: data.pages })}</Soft>}
      </span>
    </li>
  )
}
