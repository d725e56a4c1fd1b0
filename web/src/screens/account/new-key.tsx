import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { messageFor } from '../../api/failure.ts'
import type { Me } from '../../api/queries.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import styles from './account.module.css'
import { makeKey } from './queries.ts'
import { type Scope, scopeName } from './scopes.ts'

/** Who can give each scope: whoever has an acteur, a mairie, a role, or everybody. */
const giverOf: Record<Scope, 'acteur' | 'mairie' | 'role' | 'everybody'> = {
  'publication.read': 'acteur',
  'publication.write': 'acteur',
  'media.read': 'acteur',
  'media.write': 'acteur',
  'acteur.read': 'acteur',
  'acteur.write': 'acteur',
  'mairie.read': 'mairie',
  'commune.write': 'mairie',
  'alerte.write': 'mairie',
  'publication.moderate': 'mairie',
  'own.read': 'everybody',
  'office.read': 'role',
  'office.write': 'role',
}

/** Whom a key acts for: an acteur, those of a commune, or all, by their ids. */
const actsFor = (me: Me, whom: string) =>
  me.acteurs.filter(({ acteur_id, commune }) => whom === all || acteur_id === whom || commune?.id === whom)

/** Communes in which the user has several acteurs. */
function communesOf(me: Me) {
  const all = me.acteurs.flatMap(({ commune }) => commune ?? [])
  const repeated = all.filter(({ id }, index) => all.findIndex((one) => one.id === id) < index)
  return repeated.filter(({ id }, index) => repeated.findIndex((one) => one.id === id) === index)
}

/** Scopes that the user can give: a key of some acteurs reads neither the account nor the back-office. */
function offered(me: Me, whom: string): Scope[] {
  const isOfAll = whom === all
  const acteurs = actsFor(me, whom)
  const role = isOfAll && me.roles.length > 0
  const has = {
    acteur: role || acteurs.length > 0,
    mairie: role || acteurs.some(({ mairie_of }) => mairie_of.length > 0),
    role,
    everybody: isOfAll,
  }
  return (Object.keys(giverOf) as Scope[]).filter((scope) => has[giverOf[scope]])
}

const all = 'all'
const lifetimes = ['30', '90', '365'] as const
type Lifetime = (typeof lifetimes)[number]
/** A little less than the year that the service allows: its clock may be behind. */
const dayMs = 86_400_000 - 60_000

type DialogProps = { me: Me; isOpen: boolean; onClose: () => void; onMade: (value: string) => void }

/** Dialog in which the user says what a program may do. */
export function NewKeyDialog({ me, isOpen, onClose, onMade }: DialogProps) {
  const words = useTranslations('account.keys')
  return (
    <Dialog title={words('add')} isOpen={isOpen} onClose={onClose}>
      {isOpen && <NewKeyForm me={me} onMade={onMade} />}
    </Dialog>
  )
}

function NewKeyForm({ me, onMade }: Pick<DialogProps, 'me' | 'onMade'>) {
  const words = useTranslations('account.keys')
  const [name, setName] = useState('')
  const [whom, setWhom] = useState(me.acteurs.length === 1 ? (me.acteurs[0]?.acteur_id ?? all) : all)
  const [chosen, setChosen] = useState<readonly Scope[]>([])
  const [days, setDays] = useState<Lifetime>('365')
  const scopes = offered(me, whom)
  const communes = communesOf(me)
  const isCommune = communes.some(({ id }) => id === whom)
  const given = scopes.filter((scope) => chosen.includes(scope))
  const { submit, isPending, error } = useSubmit({
    mutationFn: () =>
      makeKey({
        name: name.trim(),
        scopes: given,
        acteur_id: whom === all || isCommune ? null : whom,
        commune_id: isCommune ? whom : null,
        expires_at: new Date(Date.now() + Number(days) * dayMs).toISOString(),
      }),
    onSuccess: ({ key }) => onMade(key),
  })
  const wrong = (field: string) => messageFor(error, field)
  return (
    <Form className={styles.form} isSaving={isPending} onSubmit={() => submit()}>
      <TextField
        label={words('name')}
        help={words('nameHelp')}
        isRequired
        autoFocus
        maxLength={100}
        value={name}
        onChange={setName}
        error={wrong('name')}
      />
      {me.acteurs.length > 0 && (
        <Select
          label={words('for')}
          value={whom}
          onChange={setWhom}
          options={[
            ...me.acteurs.map(({ acteur_id, nom }) => ({ value: acteur_id, label: nom })),
            ...communes.map(({ id, nom }) => ({ value: id, label: words('forCommune', { nom }) })),
            { value: all, label: words('forAll') },
          ]}
        />
      )}
      <fieldset className={styles.scopes} aria-labelledby="scopes">
        <span id="scopes">{words('mayDo')}</span>
        {scopes.map((scope) => (
          <Checkbox
            key={scope}
            isSelected={chosen.includes(scope)}
            onChange={(isChosen) =>
              setChosen(isChosen ? [...chosen, scope] : chosen.filter((one) => one !== scope))
            }
          >
            {words(`scopes.${scopeName(scope)}`)}
          </Checkbox>
        ))}
      </fieldset>
      <Select
        label={words('lifetime')}
        value={days}
        onChange={setDays}
        options={lifetimes.map((value) => ({ value, label: words('days', { count: Number(value) }) }))}
      />
      {error !== null && <ShownFailure error={error} />}
      <Button look="primary" wide type="submit" isPending={isPending} isDisabled={given.length === 0}>
        {words('make')}
      </Button>
    </Form>
  )
}
