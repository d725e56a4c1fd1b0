import type { Module } from '../../platform/module.ts'
import { subscribersHandlers, subscribersSchedules } from './jobs.ts'
import { subscribersOfPerson } from './personal.ts'

export const subscribers = {
  name: 'subscribers',
  about: 'Messages about communes that residents asked for, without an account',
  jobs: subscribersHandlers,
  schedules: subscribersSchedules,
  limits: { subscribe: '5/hour' },
  personal: (config) => [subscribersOfPerson(config)],
} satisfies Module
