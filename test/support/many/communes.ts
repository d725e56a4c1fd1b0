import { loadCommunes } from '../../../src/loaders/communes/load.ts'
import { createRun } from '../../../src/loaders/run.ts'
import { connect } from '../../../src/platform/database/connect.ts'
import { patientTimes } from '../../../src/platform/database/pools/responsiveness.ts'
import { cloneFilled } from './once.ts'

/** A database with all communes of the register and nothing else. */
export function cloneWithCommunes() {
  return cloneFilled('communes', async ({ owner }) => {
    const { db, close } = connect(
      owner,
      { warn: () => {} },
      { timeoutMs: 30_000, responsivenessTimes: patientTimes },
    )
    await loadCommunes(db, null, createRun()).finally(close)
  })
}
