import fc from 'fast-check'

// The same cases in each run, so that none fails by chance; the long run looks for others, and tells its seed.
if (!process.env.PARVIS_TEST_LONG) fc.configureGlobal({ seed: 1 })

export { fc }
