import { useTranslations } from 'use-intl'
import { undoAddress } from '../../api/auth.ts'
import { isStatus } from '../../api/failure.ts'
import icon from '../../icon.svg'
import { ConnectionBanner } from '../../shell/connection-banner.tsx'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ScreenTitle } from '../../ui/page.tsx'
import styles from './sign-in.module.css'
import { useTokenOfLink } from './token-of-link.ts'

/** Undoes a change of address, by the link mailed to the former one. It needs a button, because mail scanners load links. */
export function UndoAddressScreen() {
  const words = useTranslations('undoAddress')
  const [token] = useTokenOfLink()
  const undoing = useSubmit({ mutationFn: undoAddress })
  const isOld = token === null || isStatus(undoing.error, 401)
  // Full page load: this browser may have shown the account whose sessions have ended.
  const signIn = () => location.replace('/backoffice/sign-in')
  return (
    <div className={styles.page}>
      <ConnectionBanner />
      <main className={styles.box}>
        <img src={icon} alt="" className={styles.mark} />
        <ScreenTitle title={words('title')} className={styles.title} />
        {undoing.isSuccess ? (
          <>
            <Notice title={words('done.title')}>{words('done.text')}</Notice>
            <Button look="primary" wide autoFocus onPress={signIn}>
              {words('done.action')}
            </Button>
          </>
        ) : isOld ? (
          <Notice tone="warn" title={words('old.title')}>
            {words('old.text')}
          </Notice>
        ) : (
          <>
            <p>{words('text')}</p>
            {undoing.error !== null && <ShownFailure error={undoing.error} />}
            <Button look="danger" wide isPending={undoing.isPending} onPress={() => undoing.submit(token)}>
              {words('action')}
            </Button>
          </>
        )}
      </main>
    </div>
  )
}
