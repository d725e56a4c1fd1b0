import { useTranslations } from 'use-intl'
import { MediaField } from '../../shell/media/media-field.tsx'
import { NotSentNotice } from '../../shell/media/not-sent.tsx'
import type { Image } from '../../shell/media/queries.ts'
import { tokensIn } from '../../shell/media/tokens.ts'
import { untilSent } from '../../shell/media/uploads.ts'

type WithLogo = { logo: Image | null }

/** The logo as the draft of a form stores it: the token of one file, or nothing. */
export const logoOf = (acteur: WithLogo | null): string => acteur?.logo?.id ?? ''

/** Waits for a logo that is on its way, and returns it in the format of the API. */
export const sentLogo = async (token: string): Promise<string | null> => (await untilSent(token)) || null

/** Returns the label of a logo in a conflict, with whether there is one: its token says nothing to a reader. */
export function useLogoLine() {
  const words = useTranslations('acteurs')
  const media = useTranslations('media')
  return (token: string) =>
    [words('logo'), media('removed', { kind: 'image', count: tokensIn(token).length })] as const
}

type FieldProps = {
  acteur: WithLogo & { id: string }
  value: string
  onChange: (changed: { logo: string }) => void
  error: unknown
}

/** Field for the logo of an acteur, for administrators and members who publish for it. */
export function LogoField({ acteur, value, onChange, error }: FieldProps) {
  const words = useTranslations('acteurs')
  return (
    <>
      <NotSentNotice error={error} />
      <MediaField
        kind="image"
        label={words('logo')}
        help={words('logoHelp')}
        name="logo"
        max={1}
        isNamed
        acteurId={acteur.id}
        known={acteur.logo === null ? [] : [acteur.logo]}
        value={value}
        onChange={(logo) => onChange({ logo })}
        error={error}
      />
    </>
  )
}
