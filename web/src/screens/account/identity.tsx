import { useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { type Me, meQuery } from '../../api/queries.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { usePermissionText } from '../../shell/records/permissions.tsx'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Row, Soft } from '../../ui/layout.tsx'
import { Facts, Section } from '../../ui/page.tsx'
import { showToast } from '../../ui/toast.tsx'
import styles from './account.module.css'
import { NewAddress } from './new-address.tsx'
import { updateMe } from './queries.ts'

export function Identity({ me }: { me: Me }) {
  const words = useTranslations('account')
  const [open, setOpen] = useState<'name' | 'address' | null>(null)
  const close = () => setOpen(null)
  const onSaved = useShownAtOnce(close)
  return (
    <Section title={words('identity')}>
      <Facts
        facts={[
          [
            words('name'),
            <Value key="name" text={me.nom ?? words('none')}>
              <Button small aria-label={words('changeName')} onPress={() => setOpen('name')}>
                {words('change')}
              </Button>
            </Value>,
          ],
          [
            words('email'),
            <Value key="email" text={me.email ?? words('none')}>
              <Button small aria-label={words('changeAddress.open')} onPress={() => setOpen('address')}>
                {words('change')}
              </Button>
            </Value>,
          ],
          ...(me.roles.length > 0
            ? [[words('roles'), <Roles key="roles" roles={me.roles} />] as const]
            : me.acteurs.length === 0
              ? [[words('roles'), words('noRole')] as const]
              : []),
          ...(me.acteurs.length > 0
            ? [[words('acteurs'), <Acteurs key="acteurs" acteurs={me.acteurs} />] as const]
            : []),
        ]}
      />
      <Dialog title={words('changeName')} isOpen={open === 'name'} onClose={close}>
        <NameForm name={me.nom ?? ''} onSaved={onSaved} />
      </Dialog>
      <Dialog title={words('changeAddress.open')} isOpen={open === 'address'} onClose={close}>
        <NewAddress onTaken={onSaved} />
      </Dialog>
    </Section>
  )
}

function Value({ text, children }: { text: string; children: React.ReactNode }) {
  return (
    <span className={styles.value}>
      {text}
      {children}
    </span>
  )
}

/** Updates the cached user, because the navigation also shows the name. */
function useShownAtOnce(onDone: () => void) {
  const words = useTranslations('account')
  const client = useQueryClient()
  const router = useRouter()
  return async (me: Me) => {
    client.setQueryData(meQuery.queryKey, me)
    await router.invalidate()
    showToast({ title: words('saved') })
    onDone()
  }
}

function Roles({ roles }: { roles: Me['roles'] }) {
  const words = useTranslations('roles')
  return (
    <Row as="span">
      {roles.map((role) => (
        <Badge key={role} tone="accent">
          {words(role)}
        </Badge>
      ))}
    </Row>
  )
}

/** The acteurs of the user, with what they may do for each. */
function Acteurs({ acteurs }: Pick<Me, 'acteurs'>) {
  const permissionsOf = usePermissionText()
  return (
    <ul className={styles.acteurs}>
      {acteurs.map((acteur) => (
        <li key={acteur.acteur_id}>
          <Link to="/espace/$acteurId" params={{ acteurId: acteur.acteur_id }}>
            {acteur.nom}
          </Link>
          <Soft>{permissionsOf(acteur)}</Soft>
        </li>
      ))}
    </ul>
  )
}

function NameForm({ name, onSaved }: { name: string; onSaved: (me: Me) => void }) {
  const words = useTranslations('account')
  const [typed, setTyped] = useState(name)
  const saving = useSubmit({ mutationFn: updateMe, onSuccess: onSaved })
  const submit = () => {
    saving.submit({ nom: typed.trim() || null })
  }
  return (
    <Form isSaving={saving.isPending} className={styles.form} onSubmit={submit}>
      <TextField label={words('name')} autoComplete="name" autoFocus value={typed} onChange={setTyped} />
      {saving.isError && <ShownFailure error={saving.error} />}
      <Button look="primary" type="submit" wide isPending={saving.isPending}>
        {words('save')}
      </Button>
    </Form>
  )
}
