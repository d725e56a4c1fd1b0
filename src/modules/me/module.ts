import type { Module } from '../../platform/module.ts'
import { meRoutes } from './routes.ts'

export const me = {
  name: 'me',
  about: 'Who is signed in, and what they may do',
  routes: { bearer: meRoutes },
} satisfies Module
