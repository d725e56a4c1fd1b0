import { type Config, settingsOf } from '../platform/config/config.ts'
import type { Module } from '../platform/module.ts'
import { todayInParis } from '../platform/time/paris-time.ts'
import { siteSettings } from './settings.ts'

/** What a page shows that depends on the day. */
export const daysTag = 'days'
/** What a page shows that depends on opening hours, which begin and end at such minutes. */
export const hoursTag = 'opening-hours'
const hoursStepMs = 300_000

/** True if the site is served without this: its pages say so, and only the operator can tell. */
const lacks = (setting: 'owner' | 'director' | 'host' | 'contact') => (config: Config) =>
  config.hasSite && settingsOf(config, siteSettings)[setting] === null
const docs = 'site.md#set-it-up'

export const site = {
  name: 'site',
  about: 'The public site',
  settings: {
    own: siteSettings,
    off: [
      {
        setting: 'SITE_OWNER',
        isOff: lacks('owner'),
        effect: {
          en: 'The legal notice of the public site does not name who is responsible for it, as the law requires.',
          fr: 'Les mentions légales du site public ne nomment pas son responsable, comme la loi le demande.',
        },
        isAdvised: true,
        docs,
      },
      {
        setting: 'SITE_DIRECTOR',
        isOff: lacks('director'),
        effect: {
          en: 'The legal notice of the public site does not name its director of publication, as the law requires.',
          fr: 'Les mentions légales du site public ne nomment pas le directeur ou la directrice de la publication, comme la loi le demande.',
        },
        isAdvised: true,
        docs,
      },
      {
        setting: 'SITE_HOST',
        isOff: lacks('host'),
        effect: {
          en: 'The legal notice of the public site does not name its host, as the law requires.',
          fr: 'Les mentions légales du site public ne nomment pas son hébergeur, comme la loi le demande.',
        },
        isAdvised: true,
        docs,
      },
      {
        setting: 'SITE_CONTACT',
        isOff: lacks('contact'),
        effect: {
          en: 'The legal notice gives no address, and there is no security.txt.',
          fr: 'Les mentions légales ne donnent aucune adresse, et il n’y a pas de security.txt.',
        },
        isAdvised: true,
        docs,
      },
    ],
  },
  changesByTime: {
    [daysTag]: { with: [], find: changeOf(untilMidnight) },
    [hoursTag]: { with: [], find: changeOf((at) => hoursStepMs - (at.getTime() % hoursStepMs)) },
  },
} satisfies Module

/** Returns the milliseconds until a change by the clock, from `lookbackMs` ago on. */
function changeOf(until: (at: Date) => number) {
  return async (_db: unknown, lookbackMs: number, now: Date) =>
    until(new Date(now.getTime() - lookbackMs)) - lookbackMs
}

const hourMs = 3_600_000

/** Returns the milliseconds until the day changes in Paris, whose offset is a whole number of hours. */
function untilMidnight(now: Date): number {
  const today = todayInParis(now)
  let at = Math.ceil((now.getTime() + 1) / hourMs) * hourMs
  while (todayInParis(new Date(at)) === today) at += hourMs
  return at - now.getTime()
}
