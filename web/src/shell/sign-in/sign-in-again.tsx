import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { readProgress, signOutHere } from '../../api/auth.ts'
import type { Me } from '../../api/queries.ts'
import { resume } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { type NextStep, NextStepForm, SignInForm } from './sign-in-form.tsx'
import { useReturn } from './use-return.ts'
import { useSignOut } from './use-sign-out.ts'

/** Sign-in dialog over a screen whose session has expired. Input stays, and requests resume afterwards. */
export function SignInAgain({ me }: { me: Me }) {
  const words = useTranslations('signInAgain')
  const signOut = useSignOut()
  const [step, setStep] = useState<NextStep | null>(null)
  /** Resumes for the same user; reloads the page for another user, so that no data of the first remains. */
  const goOn = async () => {
    const progress = await readProgress().catch(() => null)
    if (progress === null) return
    const { status, user } = progress
    if (status !== 'signed_in') setStep(status === 'none' ? null : status)
    else if (user?.id === me.id) resume()
    else location.reload()
  }
  const restart = async () => {
    await signOutHere().catch(() => null)
    setStep(null)
  }
  const onSignedIn = () => void goOn()
  // The user may have opened the mailed link in another tab. During enrolment the recovery codes would be lost.
  useReturn(step === 'enrolment' ? null : onSignedIn)
  return (
    <Dialog
      stays
      title={words('title')}
      isOpen
      onClose={() => {}}
      actions={
        <Button look="quiet" onPress={() => void signOut()}>
          {words('leave')}
        </Button>
      }
    >
      <p>{words('text')}</p>
      {step === null ? (
        <SignInForm email={me.email ?? ''} returnTo={null} onSignedIn={onSignedIn} onNext={setStep} />
      ) : (
        <NextStepForm step={step} onGoOn={onSignedIn} onRestart={() => void restart()} />
      )}
    </Dialog>
  )
}
