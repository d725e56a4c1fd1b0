import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { currentUserId } from '../../api/auth.ts'
import type { Me } from '../../api/queries.ts'
import { resume } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { type NextStep, NextStepForm, SignInForm } from './sign-in-form.tsx'
import { signOut } from './sign-out.ts'
import { useReturn } from './use-return.ts'

/** Sign-in dialog over a screen whose session has expired. Input stays, and requests resume afterwards. */
export function SignInAgain({ me }: { me: Me }) {
  const words = useTranslations('signInAgain')
  const client = useQueryClient()
  const [step, setStep] = useState<NextStep | null>(null)
  const onSignedIn = () => void continueAs(me.id)
  // The user may have opened the mailed link in another tab.
  useReturn(onSignedIn)
  return (
    <Dialog
      stays
      title={words('title')}
      isOpen
      onClose={() => {}}
      actions={
        <Button look="quiet" onPress={() => void signOut(client)}>
          {words('leave')}
        </Button>
      }
    >
      <p>{words('text')}</p>
      {step === null ? (
        <SignInForm email={me.email ?? ''} returnTo={null} onSignedIn={onSignedIn} onNext={setStep} />
      ) : (
        <NextStepForm step={step} onSignedIn={onSignedIn} onRestart={() => setStep(null)} />
      )}
    </Dialog>
  )
}

/** Resumes for the same user; reloads the page for another user, so that no data of the first remains. */
async function continueAs(id: string): Promise<void> {
  const current = await currentUserId().catch(() => null)
  if (current === id) resume()
  else if (current !== null) location.reload()
}
