import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { factorsQuery, ownFactors } from '../../api/factors.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { AppSetup } from '../../shell/sign-in/app-setup.tsx'
import { useUsualLabel } from '../../shell/sign-in/enrolment.tsx'
import { PasskeyButton } from '../../shell/sign-in/passkey-button.tsx'
import { RecoveryCodes } from '../../shell/sign-in/recovery-codes.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/empty.tsx'
import { TextField } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import styles from './account.module.css'

export type Adding = 'app' | 'passkey' | 'codes'
const titles = { app: 'addApp', passkey: 'addPasskey', codes: 'codes' } as const

type AddProps = { adding: Adding | null; needsCodes: boolean; onClose: () => void }

export function AddFactor({ adding, ...props }: AddProps) {
  const words = useTranslations('account.factors')
  const [showsCodes, setShowsCodes] = useState(false)
  return (
    // Recovery codes are shown once: only their own button closes them.
    <Dialog
      title={words(titles[adding ?? 'app'])}
      isOpen={adding !== null}
      stays={showsCodes}
      onClose={props.onClose}
    >
      {adding !== null && <Steps adding={adding} {...props} onCodes={setShowsCodes} />}
    </Dialog>
  )
}

type StepsProps = AddProps & { adding: Adding; onCodes: (areShown: boolean) => void }

/** Adds the factor, then shows recovery codes if the user has none yet. */
function Steps({ adding, needsCodes, onClose, onCodes }: StepsProps) {
  const words = useTranslations('account.factors')
  const client = useQueryClient()
  // Keeps the value from before the factor was added: `needsCodes` may change afterwards.
  const [withCodes] = useState(needsCodes)
  const refresh = () => client.invalidateQueries(factorsQuery)
  const codes = useSubmit({
    mutationFn: ownFactors.makeRecoveryCodes,
    onSuccess: () => {
      onCodes(true)
      return refresh()
    },
  })
  const noted = () => {
    onCodes(false)
    onClose()
  }
  const onAdded = async () => {
    await refresh()
    if (withCodes) codes.submit()
    else onClose()
    showToast({ title: words('added') })
  }
  if (codes.data) return <RecoveryCodes codes={codes.data} onDone={noted} />
  if (codes.isError) return <ShownFailure error={codes.error} onRetry={() => codes.submit()} />
  if (adding === 'codes')
    return (
      <div className={styles.form}>
        <p>{words('renewText')}</p>
        <Button look="primary" wide autoFocus isPending={codes.isPending} onPress={() => codes.submit()}>
          {words('renewCodes')}
        </Button>
      </div>
    )
  if (codes.isPending) return <Skeleton lines={6} />
  return adding === 'app' ? (
    <AppSetup calls={ownFactors} onDone={() => void onAdded()} onOver={() => void refresh().then(onClose)} />
  ) : (
    <NewPasskey onDone={() => void onAdded()} />
  )
}

function NewPasskey({ onDone }: { onDone: () => void }) {
  const words = useTranslations('secondFactor.newPasskey')
  const usual = useUsualLabel()
  const [label, setLabel] = useState(usual)
  return (
    <div className={styles.form}>
      <p>{words('text')}</p>
      <TextField
        label={words('name')}
        help={words('nameHelp')}
        isRequired
        maxLength={100}
        value={label}
        onChange={setLabel}
      />
      <PasskeyButton primary action={() => ownFactors.addPasskey(label.trim() || usual)} onDone={onDone}>
        {words('create')}
      </PasskeyButton>
    </div>
  )
}
