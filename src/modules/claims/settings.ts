import { type Settings, trueOrFalse, wholeNumber } from '../../platform/config/settings.ts'

export const claimsSettings = {
  name: 'claims',
  read: (read) => ({
    requireBearer: read.or('CLAIMS_REQUIRE_BEARER', trueOrFalse, false),
    ttlDays: read.or('CLAIM_TTL_DAYS', wholeNumber('days', 3_650), 30),
  }),
} satisfies Settings<{ requireBearer: boolean; ttlDays: number }>
