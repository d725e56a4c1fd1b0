import { useFormatter, useTranslations } from 'use-intl'
import { backgrounds, contrast, parseColor, readable, shadesOf } from '../../../../../src/site/color.ts'
import { Soft } from '../../../ui/layout.tsx'
import styles from './infos.module.css'

const white = [255, 255, 255] as const

/** Shows the head of the site, and links, in a colour as it is typed, and says whether text in it is readable. */
export function ColorPreview({ couleur, nom }: { couleur: string | null; nom: string }) {
  const words = useTranslations('communes.look')
  const format = useFormatter()
  const color = couleur === null ? null : parseColor(couleur)
  if (couleur === null || color === null)
    return <Soft role="status">{words(couleur === null ? 'none' : 'wrong')}</Soft>
  const { light, dark, on } = shadesOf(color)
  const ratio = contrast(color, white)
  // Never rounded up to what is asked.
  const shown = format.number(Math.floor(ratio * 10) / 10, { maximumFractionDigits: 1 })
  return (
    <div className={styles.preview}>
      <div aria-hidden="true">
        <p style={{ background: couleur, color: on }}>{nom}</p>
        <p style={{ background: backgrounds.light[0], color: light }}>{words('link')}</p>
        <p style={{ background: backgrounds.dark[0], color: dark }}>{words('link')}</p>
      </div>
      <Soft role="status">{words(ratio >= readable ? 'readable' : 'tooLight', { ratio: shown })}</Soft>
    </div>
  )
}
