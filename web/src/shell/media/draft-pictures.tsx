import { useQuery } from '@tanstack/react-query'
import styles from './media.module.css'
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
