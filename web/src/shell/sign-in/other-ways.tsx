import { useTranslations } from 'use-intl'
import { type Methods, providerAddress, type SignInStatus, signInByPasskey } from '../../api/auth.ts'
import { knowsPasskeys } from '../../api/passkeys.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Soft } from '../../ui/layout.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import styles from './sign-in-form.module.css'

type OtherProps = {
  methods: Methods
  /** URL to return to from the identity provider; null to open it in another tab and keep this screen. */
  returnTo: string | null
  onStatus: (status: SignInStatus) => void
}

/** Offers passkey and identity provider, where the service and the browser support them. */
export function OtherWays({ methods, returnTo, onStatus }: OtherProps) {
  const words = useTranslations('signIn')
  const { email, oidc } = methods
  const passkey = methods.passkey && knowsPasskeys()
  if (!passkey && oidc === null) return null
  return (
    <>
      {email && <Or />}
      {passkey && (
        <PasskeyButton refused={words('passkeyRefused')} action={signInByPasskey} onDone={onStatus}>
          {words('passkey')}
        </PasskeyButton>
      )}
      {oidc !== null && (
        <ButtonLink
          wide
          icon={returnTo === null ? 'external' : 'user'}
          href={providerAddress(returnTo ?? '/backoffice/')}
          {...(returnTo === null && { target: '_blank' })}
        >
          {words('provider', { label: oidc.label })}
        </ButtonLink>
      )}
      {oidc !== null && returnTo === null && <Soft>{words('providerElsewhere')}</Soft>}
    </>
  )
}

export function Or() {
  const words = useTranslations('signIn')
  return <p className={styles.or}>{words('or')}</p>
}
