import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { progressQuery } from '../../api/auth.ts'
import { factorsWhileSigningIn as calls } from '../../api/factors.ts'
import { knowsPasskeys } from '../../api/passkeys.ts'
import { Button } from '../../ui/button.tsx'
import { Segmented } from '../../ui/choice.tsx'
import { Skeleton } from '../../ui/empty.tsx'
import { asFrenchWrites } from '../../ui/moment.ts'
import { Notice } from '../../ui/notice.tsx'
import { useSubmit } from '../editing/use-submit.ts'
import { ShownFailure } from '../shown-failure.tsx'
import { AppSetup } from './app-setup.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import styles from './sign-in-form.module.css'

type Props = { onGoOn: () => void; onRestart: () => void; offersPasskeys: boolean }

/** Sets up a mandatory second factor: an app or a passkey, then the recovery codes, shown once. */
export function EnrolmentStep({ onGoOn, onRestart, offersPasskeys }: Props) {
  const words = useTranslations('secondFactor')
  const { user } = useQuery(progressQuery).data ?? {}
  const [way, setWay] = useState<'app' | 'passkey'>('app')
  const codes = useSubmit({ mutationFn: calls.makeRecoveryCodes })
  if (codes.data) return <RecoveryCodes codes={codes.data} onDone={onGoOn} />
  if (codes.isPending) return <Skeleton lines={6} />
  if (codes.isError) return <ShownFailure error={codes.error} onRetry={() => codes.submit()} />
  return (
    <div className={styles.form}>
      <Notice title={words('enrol.title')}>{words('enrol.text')}</Notice>
      {user && <p>{words('enrol.account', { account: user.email ?? user.nom ?? '' })}</p>}
      {offersPasskeys && knowsPasskeys() && (
        <Segmented
          label={words('enrol.way')}
          value={way}
          onChange={setWay}
          options={[
            { value: 'app', label: words('enrol.app'), icon: 'phone' },
            { value: 'passkey', label: words('enrol.passkey'), icon: 'key' },
          ]}
        />
      )}
      {way === 'app' ? (
        <AppSetup calls={calls} onDone={() => codes.submit()} onOver={onGoOn} />
      ) : (
        <NewPasskey onDone={() => codes.submit()} />
      )}
      <div>
        <Button look="quiet" small icon="back" onPress={onRestart}>
          {words('enrol.other')}
        </Button>
      </div>
    </div>
  )
}

function NewPasskey({ onDone }: { onDone: () => void }) {
  const words = useTranslations('secondFactor.newPasskey')
  const label = useUsualLabel()
  return (
    <>
      <p>{words('text')}</p>
      <PasskeyButton primary action={() => calls.addPasskey(label)} onDone={onDone}>
        {words('create')}
      </PasskeyButton>
    </>
  )
}

/** Returns the default name of a new passkey, which the user may change. */
export function useUsualLabel(): string {
  const words = useTranslations('secondFactor.newPasskey')
  const format = useFormatter()
  return words('label', {
    date: asFrenchWrites(format.dateTime(new Date(), { dateStyle: 'long', timeStyle: 'short' })),
  })
}
