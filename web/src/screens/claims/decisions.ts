import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { oneByOne } from '../../shell/deciding/one-by-one.ts'
import { undoDecision } from '../../shell/deciding/queries.ts'
import { useMailPlace } from '../../shell/mail-place.tsx'
import { showToast } from '../../ui/toast.tsx'
import { askClaimant, decideClaim, type ReadClaim, resumeClaim } from './queries.ts'

type Asked = { status: 'approved' | 'rejected'; reason?: string | Promise<string>; user_id?: string }

/** Decides claims, asks claimants, and undoes the latest decision until its mail is sent. */
export function useClaimDecisions() {
  const words = useTranslations('claims')
  const client = useQueryClient()
  const { mail, note } = useMailPlace()
  const [error, setError] = useState<unknown>(null)
  const [isPending, setPending] = useState(false)
  const latest = useRef<{ decisionId: string; claimId: string } | null>(null)
  const closeLatest = useRef(() => {})
  async function carryOut(claimId: string, action: () => Promise<void>): Promise<void> {
    setPending(true)
    setError(null)
    closeLatest.current()
    try {
      await oneByOne([claimId], action)
    } catch (failure) {
      setError(failure)
    }
    // Also after a failure, because another user may have decided.
    for (const queryKey of [['claims'], ['dashboard'], ['decisions']])
      void client.invalidateQueries({ queryKey })
    setPending(false)
  }
  function undo(): void {
    if (latest.current === null) return
    const { decisionId, claimId } = latest.current
    latest.current = null
    void carryOut(claimId, async () => {
      await undoDecision(decisionId)
      showToast({ title: words('undone') })
    })
  }
  return {
    error,
    isPending,
    undo,
    ask(claim: ReadClaim, body: string | Promise<string>, onSuccess: () => void) {
      void carryOut(claim.id, async () => {
        await askClaimant(claim, await body)
        onSuccess()
        showToast({ title: words('asked', { mail }), ...(note && { detail: note }) })
      })
    },
    resume(claim: ReadClaim) {
      void carryOut(claim.id, async () => {
        await resumeClaim(claim)
        showToast({ title: words('resumed') })
      })
    },
    decide(claim: ReadClaim, { reason, ...asked }: Asked, onSuccess?: () => void) {
      void carryOut(claim.id, async () => {
        const text = await reason
        const { decision_id } = await decideClaim(claim, { ...asked, ...(text && { reason: text }) })
        onSuccess?.()
        latest.current = decision_id === null ? null : { decisionId: decision_id, claimId: claim.id }
        const action = { label: words('undo'), shortcut: 'u', run: undo }
        closeLatest.current = showToast({
          title: words(`done.${asked.status}`, { acteur: claim.acteur.nom }),
          ...(decision_id !== null && { action }),
        })
      })
    },
  }
}
