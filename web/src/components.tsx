import { type ReactNode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { loadTexts, TextProvider } from './text/provider.tsx'
import type { Language } from './text/texts.ts'
import './ui/tokens.css'
import './ui/reset.css'
import styles from './components.module.css'
import { Badge } from './ui/badge.tsx'
import { Button, ButtonLink, IconButton } from './ui/button.tsx'
import { Checkbox, Segmented, Switch } from './ui/choice.tsx'
import { Combo } from './ui/combo.tsx'
import { DateField, TimeField } from './ui/date-field.tsx'
import { Confirm, Dialog } from './ui/dialog.tsx'
import { Empty, Skeleton } from './ui/empty.tsx'
import { TextField } from './ui/field.tsx'
import { Key } from './ui/key.tsx'
import { Lines, OneLine } from './ui/lines.tsx'
import { Menu, MenuGroup, MenuItem } from './ui/menu.tsx'
import { Failure, Notice } from './ui/notice.tsx'
import { Facts, Page, Section } from './ui/page.tsx'
import { Pager } from './ui/pager.tsx'
import { RichEditor } from './ui/rich-editor.tsx'
import { Select } from './ui/select.tsx'
import { Table } from './ui/table.tsx'
import { Tabs } from './ui/tabs.tsx'
import { Time } from './ui/time.tsx'
import { showToast, Toasts } from './ui/toast.tsx'

/** Gallery of every component in every state, with texts as long as in French. Never shipped. */
function Components() {
  const [theme, setTheme] = useState<'light' | 'dark' | 'system'>('system')
  const [language, setLanguage] = useState<Language>('fr')
  document.documentElement.dataset.theme = theme
  return (
    <TextProvider language={language}>
      <main>
        <Page
          title="Composants"
          actions={
            <div className={styles.row}>
              <Segmented
                label="Langue"
                value={language}
                onChange={setLanguage}
                options={[
                  { value: 'fr', label: 'Français' },
                  { value: 'en', label: 'English' },
                ]}
              />
              <Segmented
                label="Thème"
                value={theme}
                onChange={setTheme}
                options={[
                  { value: 'light', label: 'Clair', icon: 'sun' },
                  { value: 'dark', label: 'Sombre', icon: 'moon' },
                  { value: 'system', label: 'Système', icon: 'screen' },
                ]}
              />
            </div>
          }
        >
          <Buttons />
          <Fields />
          <States />
          <Overlays />
          <Data />
        </Page>
      </main>
      <Toasts />
    </TextProvider>
  )
}

const Row = ({ children }: { children: ReactNode }) => <div className={styles.row}>{children}</div>

function Buttons() {
  return (
    <Section title="Boutons">
      <Row>
        <Button look="primary" shortcut="a">
          Publier
        </Button>
        <Button shortcut="r">Rejeter</Button>
        <Button look="danger">Supprimer définitivement</Button>
        <Button look="quiet" icon="refresh">
          Réessayer
        </Button>
        <Button small icon="check">
          Corriger
        </Button>
        <IconButton icon="more" label="Autres actions" />
      </Row>
      <Row>
        <ButtonLink wide icon="user" href="#">
          Se connecter avec ProConnect
        </ButtonLink>
      </Row>
      <Row>
        <Button look="primary" isDisabled>
          Publier
        </Button>
        <Button isDisabled>Rejeter</Button>
        <Button look="danger" isDisabled>
          Supprimer
        </Button>
        <Button look="primary" isPending>
          Enregistrement…
        </Button>
      </Row>
    </Section>
  )
}

function Fields() {
  const [sort, setSort] = useState<'oldest' | 'newest'>('oldest')
  const [typed, setTyped] = useState('')
  const [day, setDay] = useState('')
  const [moment, setMoment] = useState('2026-10-01T08:00')
  const [hour, setHour] = useState('')
  return (
    <Section title="Champs">
      <div className={styles.columns}>
        <TextField label="Adresse e-mail" type="email" isRequired defaultValue="zoe.lambert@example.org" />
        <TextField label="Nom" help="Comme les autres membres de l’équipe le verront." />
        <TextField
          label="Adresse e-mail"
          isRequired
          defaultValue="zoe"
          error="Cette adresse est incomplète : il manque ce qui suit l’arobase."
        />
        <TextField label="Code à six chiffres" isRequired code defaultValue="402731" />
        <TextField label="Motif" rows={3} placeholder="Ce que l’auteur lira" />
        <TextField label="Identifiant" isDisabled defaultValue="0199c9a3-5b8e-7cc1" />
        <Select
          label="Trier par"
          value={sort}
          onChange={setSort}
          options={[
            { value: 'oldest', label: 'Les plus anciennes d’abord' },
            { value: 'newest', label: 'Les plus récentes d’abord' },
          ]}
        />
        <Combo
          label="Commune"
          help="Vide : celle de l’acteur."
          typed={typed}
          onType={setTyped}
          items={[
            { id: 'chambery', nom: 'Chambéry', note: '73' },
            { id: 'saint-denis', nom: 'Saint-Denis-en-Margeride', note: '48' },
          ]}
          chosen={null}
          onChoose={() => {}}
        />
        <DateField label="Premier jour" value={day} onChange={setDay} />
        <DateField
          label="Publier le"
          help="Heure de Paris."
          withTime
          isRequired
          value={moment}
          onChange={setMoment}
          error={moment < '2026-10-03' ? 'Ce moment est passé.' : null}
        />
        <TimeField label="Heure de début" value={hour} onChange={setHour} />
        <output data-testid="dates">{[day, moment, hour].join(' · ')}</output>
        <RichEditor
          label="Texte de la publication"
          help="Comme les lecteurs le verront."
          defaultValue="<h3>Programme</h3><ul><li>Pressage <strong>sur la place</strong></li></ul>"
          onChange={() => {}}
        />
        <div>
          <Checkbox>À traiter</Checkbox>
          <br />
          <Checkbox defaultSelected>Signalées</Checkbox>
          <br />
          <Checkbox isIndeterminate>Toute la page</Checkbox>
          <br />
          <Checkbox isDisabled>Archivées</Checkbox>
          <br />
          <Switch defaultSelected>Raccourcis à une touche</Switch>
          <br />
          <Switch>Recevoir un résumé chaque jour ouvré</Switch>
        </div>
      </div>
    </Section>
  )
}

function States() {
  return (
    <Section title="États">
      <Row>
        <Badge>Brouillon</Badge>
        <Badge tone="warn">En attente</Badge>
        <Badge tone="good">Publiée</Badge>
        <Badge tone="bad">Rejetée</Badge>
        <Badge tone="accent">Administrateur</Badge>
        <Key>Ctrl K</Key>
        <Key>?</Key>
        <Time at="2026-11-18T08:30:00Z" />
      </Row>
      <Notice title="Une nouvelle version est disponible.">Elle s’ouvre au prochain chargement.</Notice>
      <Notice tone="warn" icon="offline" title="Vous êtes hors ligne.">
        Ce que vous écrivez est gardé sur cet appareil.
      </Notice>
      <Failure
        message="Le service n’a pas pu répondre à cette demande."
        requestId="0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
        onRetry={() => {}}
      />
      <div className={styles.columns}>
        <Empty icon="inbox" title="Rien à modérer">
          <p>Les nouvelles publications arrivent ici.</p>
        </Empty>
        <Skeleton lines={6} />
      </div>
    </Section>
  )
}

function Overlays() {
  const [open, setOpen] = useState<'dialog' | 'confirm' | 'drawer' | null>(null)
  const close = () => setOpen(null)
  return (
    <Section title="Au-dessus du reste">
      <Row>
        <Button onPress={() => setOpen('dialog')}>Dialogue</Button>
        <Button onPress={() => setOpen('confirm')}>Confirmation</Button>
        <Button onPress={() => setOpen('drawer')}>Tiroir</Button>
        <Menu label="Actions" trigger={<Button icon="more">Menu</Button>}>
          <MenuGroup title="zoe.lambert@chambery-metropole.example.org">
            <MenuItem icon="user">Mon compte</MenuItem>
            <MenuItem icon="keyboard" shortcut="?">
              Raccourcis clavier
            </MenuItem>
            <MenuItem isDisabled>Indisponible</MenuItem>
          </MenuGroup>
          <MenuGroup title="Session">
            <MenuItem icon="leave">Se déconnecter</MenuItem>
          </MenuGroup>
        </Menu>
        <Button
          onPress={() =>
            showToast({
              title: 'Publication publiée.',
              action: { label: 'Annuler', shortcut: 'u', run: () => {} },
            })
          }
        >
          Notification
        </Button>
        <Button
          onPress={() =>
            showToast({
              title: 'La décision n’a pas été enregistrée.',
              detail: 'Réessayez dans un instant.',
              isError: true,
            })
          }
        >
          Notification d’erreur
        </Button>
      </Row>
      <Dialog
        title="Rejeter la publication"
        isOpen={open === 'dialog'}
        onClose={close}
        actions={
          <>
            <Button onPress={close}>Annuler</Button>
            <Button look="primary" onPress={close}>
              Rejeter
            </Button>
          </>
        }
      >
        <TextField label="Motif" isRequired rows={4} help="L’auteur le lira tel quel." autoFocus />
      </Dialog>
      <Confirm
        title="Supprimer ce compte ?"
        action="Supprimer le compte"
        isOpen={open === 'confirm'}
        onClose={close}
        onConfirm={close}
      >
        <p>Ses publications restent, sans son nom. Personne ne pourra annuler cette suppression.</p>
      </Confirm>
      <Dialog drawer title="Navigation" isOpen={open === 'drawer'} onClose={close}>
        <p>Ce qui se trouve à gauche sur un grand écran.</p>
      </Dialog>
    </Section>
  )
}

const communes = [
  { id: '1', nom: 'Saint-Rémy-en-Bouzemont-Saint-Genest-et-Isson', population: 547, etat: 'Publiée' },
  { id: '2', nom: 'Chambéry', population: 59_856, etat: 'En attente' },
  { id: '3', nom: 'Bourg-en-Bresse', population: 41_681, etat: 'Publiée' },
]

function Data() {
  const [tab, setTab] = useState<'table' | 'facts' | 'empty'>('table')
  const [page, setPage] = useState(2)
  const columns = [
    { id: 'nom', title: 'Commune', cell: ({ nom }: (typeof communes)[number]) => nom, sortable: true },
    {
      id: 'population',
      title: 'Habitants',
      cell: ({ population }: (typeof communes)[number]) => population.toLocaleString('fr'),
      isFigure: true,
      sortable: true,
    },
    {
      id: 'etat',
      title: 'État',
      cell: ({ etat }: (typeof communes)[number]) => (
        <Badge tone={etat === 'Publiée' ? 'good' : 'warn'}>{etat}</Badge>
      ),
    },
  ]
  const empty = <Empty icon="search" title="Aucune commune ne correspond à ces filtres" />
  return (
    <Section title="Données">
      <Tabs
        label="Vues"
        selected={tab}
        onSelect={setTab}
        tabs={[
          {
            id: 'table',
            title: 'Communes',
            count: 3,
            content: (
              <Table
                label="Communes"
                columns={columns}
                items={communes}
                sort={{ column: 'population', direction: 'descending' }}
                empty={empty}
              />
            ),
          },
          {
            id: 'facts',
            title: 'Détails',
            content: (
              <Facts
                facts={[
                  ['Code Insee', '73065'],
                  ['Mairie', 'Place de l’Hôtel de Ville, 73000 Chambéry'],
                ]}
              />
            ),
          },
          {
            id: 'empty',
            title: 'Sans résultat',
            content: <Table label="Communes" columns={columns} items={[]} empty={empty} />,
          },
        ]}
      />
      <Lines label="Appareils">
        <OneLine
          icon="screen"
          title="Firefox, Windows"
          badge={<Badge tone="good">Cet appareil</Badge>}
          note="192.0.2.0/24 · vu il y a 3 minutes"
        />
        <OneLine
          icon="key"
          title="Clé d’accès de l’ordinateur de l’accueil de la mairie"
          note="Créée il y a 3 mois · jamais utilisée"
          actions={
            <>
              <Button small>Remplacer</Button>
              <Button small>Retirer</Button>
            </>
          }
        />
      </Lines>
      <Pager page={page} perPage={25} total={34_969} onPage={setPage} />
    </Section>
  )
}

const root = document.getElementById('root')
void loadTexts('fr').then(() => root && createRoot(root).render(<Components />))
