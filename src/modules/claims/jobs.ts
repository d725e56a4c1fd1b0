import Type from 'typebox'
import { settingsOf } from '../../platform/config.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import type { Deps } from '../../platform/module.ts'
import { expireOverdueClaims } from './expiry.ts'
import { giveUpSending } from './queries.mail.ts'
import { claimsSettings } from './settings.ts'
import { tellClaimantHandler } from './tell-claimant.ts'

/** What time does to claims: some expire, and of some mails nobody will say any more what became of them. */
const settleClaims = defineJob('claims.settle', Type.Object({}))

export function claimsHandlers(deps: Deps): Handler[] {
  const { db, log, config } = deps
  const { ttlDays } = settingsOf(config, claimsSettings)
  return [
    tellClaimantHandler(deps),
    handle(settleClaims, async (_payload, { signal }) => {
      const expired = await expireOverdueClaims(db, ttlDays, signal)
      const uncertain = await giveUpSending(db)
      if (expired + uncertain > 0) log.info({ expired, uncertain }, 'claims are settled')
    }),
  ]
}

export const claimsSchedules: Schedule[] = [schedule(settleClaims, '17 * * * *', {})]
