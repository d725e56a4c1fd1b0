import { useQuery } from '@tanstack/react-query'
import { createLink, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { Button as AriaButton, Link } from 'react-aria-components'
import { useFormatter, useNow, useTranslations } from 'use-intl'
import type { Me } from '../../api/queries.ts'
import { session } from '../../api/session.ts'
import icon from '../../icon.svg'
import { Button, IconButton, withKeys } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Key } from '../../ui/key.tsx'
import { Menu, MenuGroup, MenuItem } from '../../ui/menu.tsx'
import { Page } from '../../ui/page.tsx'
import { ConnectionBanner } from '../connection-banner.tsx'
import { ownsDrafts } from '../drafts.ts'
import { later } from '../later.tsx'
import { useLive } from '../live.ts'
import { changeSettings, settings } from '../settings.ts'
import { useReturn } from '../sign-in/use-return.ts'
import { useSignOut } from '../sign-in/use-sign-out.ts'
import { countsQuery, waitingAt } from './counts.ts'
import styles from './frame.module.css'
import type { Command } from './palette.tsx'
import { additionsFor, commandScreensFor, moderation, navigationFor } from './screens.ts'
import { useShortcuts } from './shortcuts.tsx'

const Palette = later(async () => (await import('./palette.tsx')).Palette)
const Help = later(async () => (await import('./help.tsx')).Help)
const NamePrompt = later(async () => (await import('../name-prompt.tsx')).NamePrompt, {
  waits: true,
  inPage: true,
})
const SignInAgain = later(async () => (await import('../sign-in/sign-in-again.tsx')).SignInAgain)

/** Frame around every screen of a signed-in user. */
export function Frame({ me }: { me: Me }) {
  const words = useTranslations('frame')
  const [open, setOpen] = useState<'palette' | 'help' | 'navigation' | null>(null)
  const close = () => setOpen(null)
  const commands = useCommands(me, () => setOpen('help'))
  const expired = session.use() === 'expired'
  const { asksName } = settings.use()
  useLive(me.areas.length > 0)
  useOneUser(me.id)
  useShortcuts(words('everywhere'), [
    { key: 'k', withControl: true, label: words('search'), run: () => setOpen('palette') },
    { key: '?', label: words('keys'), run: () => setOpen('help') },
  ])
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new screen closes what leads to it
  useEffect(close, [path])
  const navigation = <Navigation me={me} commands={commands} onSearch={() => setOpen('palette')} />
  return (
    <div className={styles.frame}>
      <a href="#content" className={styles.skip}>
        {words('skip')}
      </a>
      <header className={styles.bar}>
        <IconButton icon="menu" label={words('menu')} onPress={() => setOpen('navigation')} />
        <span className={styles.name}>Parvis</span>
        <IconButton icon="search" label={words('search')} onPress={() => setOpen('palette')} />
      </header>
      <div className={styles.side}>{navigation}</div>
      <main id="content" className={styles.main} tabIndex={-1}>
        <ConnectionBanner />
        {me.nom === null && asksName && <NamePrompt />}
        <Outlet />
      </main>
      <Dialog drawer title="Parvis" isOpen={open === 'navigation'} onClose={close}>
        {navigation}
      </Dialog>
      {open === 'palette' && <Palette isOpen onClose={close} commands={commands} />}
      {open === 'help' && <Help isOpen onClose={close} />}
      {expired && <SignInAgain me={me} />}
    </div>
  )
}

/** Reloads once another user has signed in in another tab, or this one has signed out: nothing of theirs may stay. */
function useOneUser(id: string): void {
  const look = useEffectEvent(() => {
    if (!ownsDrafts(id)) location.reload()
  })
  useReturn(look)
  useEffect(() => {
    window.addEventListener('storage', look)
    return () => window.removeEventListener('storage', look)
  }, [])
}

type NavigationProps = { me: Me; commands: readonly Command[]; onSearch: () => void }

function Navigation({ me, commands, onSearch }: NavigationProps) {
  const words = useTranslations()
  const counts = useQuery({ ...countsQuery, enabled: me.areas.includes('dashboard') })
  const here = useRouterState({ select: ({ location }) => location.pathname })
  const isModeration = moderation.some(({ path }) => `${here}/`.startsWith(`${path}/`))
  return (
    <div className={styles.navigation}>
      <header className={styles.brand}>
        <img src={icon} alt="" className={styles.mark} />
        Parvis
      </header>
      <AriaButton className={styles.search} onPress={onSearch} render={withKeys('Control+K')}>
        <Icon name="search" />
        <span className={styles.fill}>{words('frame.search')}</span>
        <span aria-hidden="true">
          <Key>{words('help.control')} K</Key>
        </span>
      </AriaButton>
      <nav aria-label={words('frame.navigation')} className={styles.screens}>
        {navigationFor(me).map(({ name: group, screens }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
          <div
            key={screens[0]?.name}
            role="group"
            aria-label={words(`groups.${group}`)}
            className={styles.group}
          >
            {group !== 'start' && (
              <span className={styles.groupName} aria-hidden="true">
                {words(`groups.${group}`)}
              </span>
            )}
            {screens.map(({ name, path, icon }) => (
              <ScreenLink
                key={name}
                to={path}
                className={styles.screen}
                activeOptions={{ exact: path === '/', includeSearch: false }}
                activeProps={{ 'aria-current': 'page' }}
                {...(name === 'queue' && isModeration && { 'aria-current': 'true' as const })}
              >
                <Icon name={icon} />
                <span className={styles.fill}>{words(`screens.${name}`)}</span>
                {name === 'queue' && <Waiting screen="reports" isUrgent counts={counts.data} />}
                <Waiting screen={name} counts={counts.data} />
              </ScreenLink>
            ))}
          </div>
        ))}
      </nav>
      <AccountMenu me={me} commands={commands} />
    </div>
  )
}

const ScreenLink = createLink(Link)

type WaitingProps = { screen: string; counts: Parameters<typeof waitingAt>[0]; isUrgent?: boolean }

/** Badge with the number of waiting items; the tooltip adds the age of the oldest. */
function Waiting({ screen, counts, isUrgent = false }: WaitingProps) {
  const words = useTranslations('frame')
  const format = useFormatter()
  const now = useNow({ updateInterval: 60_000 })
  const waiting = waitingAt(counts, screen)
  if (waiting === null) return null
  const { count, oldest_at } = waiting
  const said = words(isUrgent ? 'reported' : 'waiting', { count })
  const since =
    oldest_at === null ? '' : ` · ${words('oldest', { ago: format.relativeTime(new Date(oldest_at), now) })}`
  return (
    <span className={cx(styles.waiting, isUrgent && styles.urgent)} title={`${said}${since}`}>
      <span aria-hidden="true">{format.number(count, { notation: 'compact' })}</span>
      <span className={styles.heard}>{said}</span>
    </span>
  )
}

function AccountMenu({ me, commands }: { me: Me; commands: readonly Command[] }) {
  const words = useTranslations('frame')
  const shown = commands.filter(({ id }) => !/^(screen|add)\./.test(id))
  return (
    <Menu
      label={words('account')}
      trigger={
        <AriaButton
          className={styles.account}
          aria-label={`${words('account')} : ${me.nom ?? me.email ?? ''}`}
        >
          <Icon name="user" />
          <span className={styles.who}>{me.nom ?? me.email}</span>
          <Icon name="down" />
        </AriaButton>
      }
    >
      <MenuGroup title={me.email ?? me.nom ?? ''}>
        {shown.map(({ id, title, icon, run, hint }) => (
          <MenuItem key={id} icon={icon} shortcut={hint} onAction={run}>
            {title}
          </MenuItem>
        ))}
      </MenuGroup>
    </Menu>
  )
}

/** Returns the entries of the palette and the account menu. */
function useCommands(me: Me, openHelp: () => void): Command[] {
  const words = useTranslations()
  const navigate = useNavigate()
  const signOut = useSignOut()
  const { theme, language } = settings.use()
  const isDark =
    theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  return [
    ...commandScreensFor(me).map(({ name, path, icon }) => ({
      id: `screen.${name}`,
      title: words(`screens.${name}`),
      hint: words('palette.screen'),
      icon,
      run: () => void navigate({ to: path }),
    })),
    ...additionsFor(me).map(({ name, path, icon }) => ({
      id: `add.${name}`,
      title: words(`palette.add.${name}.title`),
      also: words(`palette.add.${name}.also`),
      hint: words('palette.action'),
      icon,
      run: () => void navigate({ to: path, state: { adds: true } }),
    })),
    {
      id: 'account',
      title: words('frame.myAccount'),
      icon: 'user',
      run: () => void navigate({ to: '/account' }),
    },
    {
      id: 'theme',
      title: words(isDark ? 'frame.light' : 'frame.dark'),
      icon: isDark ? 'sun' : 'moon',
      run: () => changeSettings({ theme: isDark ? 'light' : 'dark' }),
    },
    {
      id: 'language',
      title: words('frame.otherLanguage'),
      icon: 'screen',
      run: () => changeSettings({ language: language === 'fr' ? 'en' : 'fr' }),
    },
    { id: 'help', title: words('frame.keys'), hint: '?', icon: 'keyboard', run: openHelp },
    {
      id: 'sign-out',
      title: words('frame.signOut'),
      icon: 'leave',
      run: () => void signOut(),
    },
  ]
}

/** Page shown in place of a screen that none of the user's roles opens. */
export function NotForYou() {
  const words = useTranslations('notForYou')
  const navigate = useNavigate()
  return (
    <Page title={words('title')}>
      <p>{words('text')}</p>
      <div>
        <Button onPress={() => void navigate({ to: '/account' })}>{words('action')}</Button>
      </div>
    </Page>
  )
}
