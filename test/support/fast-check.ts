import fc from 'fast-check'

// The same cases in each run, so that none fails by chance; the long run explores others and prints its seed.
if (!process.env.PARVIS_TEST_LONG) fc.configureGlobal({ seed: 1 })

export { fc }
