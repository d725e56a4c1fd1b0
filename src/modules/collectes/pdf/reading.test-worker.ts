/** Stands for the process that reads a PDF: the file says what becomes of it. */
process.on('disconnect', () => process.exit())
process.once('message', ({ bytes }: { bytes: Uint8Array }) => {
  const word = Buffer.from(bytes).toString()
  if (word === 'end') process.exit(1)
  if (word === 'answer') process.send?.({ unreadable: 'no_date' })
})
process.send?.('ready')
