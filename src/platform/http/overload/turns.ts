import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Account, type Payer, runFor } from '../../time/processing-time.ts'
import { beforeFastify } from '../before-fastify.ts'
import type { HttpServer } from '../http-server.ts'
import type { Budgets } from './budgets.ts'

/** How many requests of a connection start before other connections have their turn, and are unanswered at a time. */
const perTurn = 16
/** For this long after a request of another client, one late request starts in a turn. */
const othersMs = 1_000

export type Turns = {
  /** How many requests waited because their client had spent its budget. */
  readonly late: number
}

type Waiting = { payer: Payer; response: ServerResponse; start: () => void }
type Connection = {
  socket: Socket
  /** The last turn in which a request of it started, and how many did. */
  turn: number
  started: number
  unanswered: number
  /** Its requests that have arrived and wait, in their order. */
  waiting: Waiting[]
  /** Under which it waits as late. */
  lateFor: Account | null
}

/**
 * Lets connections take turns. Gain: of 3 000 requests that a connection sends at once, 32 start before that of another
 * instead of 2 621, because Node starts all that have arrived.
 *
 * At most sixteen requests of a connection start in a turn of the event loop, and while sixteen are unanswered, none; the
 * others wait, and nothing more is read from the connection meanwhile. Responses leave in the order of the requests, so that
 * more of them would only be kept: 60 000 requests that waited for a file, and were refused at once, stopped the loop for 2 s.
 * Requests of clients that have spent their budgets are late: they wait until all others that
 * have arrived have started, and then one starts in each turn, of each such client in rotation; sixteen while there are no
 * others.
 */
export function takeTurns(server: HttpServer, budgets: Budgets): Turns {
  const connections = new WeakMap<Socket, Connection>()
  const ready = new Set<Connection>()
  const late = lateInRotation()
  let turn = 0
  let isEnding = false
  let othersAt = Number.NEGATIVE_INFINITY
  let lateCount = 0

  function connectionOf(socket: Socket): Connection {
    const known = connections.get(socket)
    if (known !== undefined) return known
    const connection: Connection = { socket, turn, started: 0, unanswered: 0, waiting: [], lateFor: null }
    connections.set(socket, connection)
    return connection
  }
  function endTurnSoon() {
    if (!isEnding) setImmediate(endTurn)
    isEnding = true
  }
  function endTurn() {
    isEnding = false
    turn++
    for (const connection of [...ready]) {
      ready.delete(connection)
      while (isReady(connection) && mayStart(connection)) startFirst(connection)
      placeAgain(connection)
    }
    const isAlone = performance.now() - othersAt > othersMs
    for (let left = isAlone ? perTurn : 1; left > 0 && late.size > 0; left--) startLate()
    if (ready.size > 0 || late.size > 0) endTurnSoon()
  }
  function mayStart(connection: Connection): boolean {
    if (connection.turn !== turn) {
      connection.turn = turn
      connection.started = 0
      endTurnSoon()
    }
    return connection.started < perTurn && !isFull(connection)
  }
  function isReady({ waiting: [first] }: Connection): boolean {
    return first !== undefined && !budgets.isSpent(first.payer.account)
  }
  const isFull = ({ unanswered }: Connection) => unanswered >= perTurn
  function start(connection: Connection, { response, start }: Waiting) {
    connection.started++
    connection.unanswered++
    // 'close' is emitted only once; `once` would cost more than `on`.
    response.on('close', () => {
      const wasFull = isFull(connection)
      connection.unanswered--
      if (!wasFull || !isWaiting(connection)) return
      placeAgain(connection)
      endTurnSoon()
    })
    start()
  }
  function startFirst(connection: Connection) {
    const first = connection.waiting.shift()
    if (first !== undefined) start(connection, first)
  }
  function startLate() {
    const connection = late.takeNext()
    if (connection === null) return
    startFirst(connection)
    placeAgain(connection)
  }
  /** Places a connection by its first request that waits; reads on if there is none. A full one waits for a response. */
  function placeAgain(connection: Connection) {
    const [first] = connection.waiting
    if (first === undefined) connection.socket.resume()
    else if (isFull(connection)) return
    else if (isReady(connection)) ready.add(connection)
    else late.add(connection, first.payer.account)
  }
  const isWaiting = (connection: Connection) => connection.waiting.length > 0

  server.server.on('connection', (socket: Socket) => {
    // Node resumes a connection when it has read the body of a request.
    socket.on('resume', () => {
      const connection = connections.get(socket)
      if (connection !== undefined && isWaiting(connection)) socket.pause()
    })
    socket.once('close', () => {
      const connection = connections.get(socket)
      if (connection === undefined) return
      connection.waiting = []
      ready.delete(connection)
      late.remove(connection)
    })
  })
  beforeFastify(server, (request, response, next) => {
    const connection = connectionOf(request.socket)
    const payer = budgets.payerOf(request)
    const isLate = budgets.isSpent(payer.account)
    if (isLate) lateCount++
    else othersAt = performance.now()
    const arrived = { payer, response, start: () => runFor(payer, next) }
    if (!isWaiting(connection) && !isLate && mayStart(connection)) return start(connection, arrived)
    connection.waiting.push(arrived)
    if (connection.waiting.length > 1) return
    connection.socket.pause()
    placeAgain(connection)
    endTurnSoon()
  })
  return {
    get late() {
      return lateCount
    },
  }
}

/** Late connections by account, in rotation: the first account is served next, then moves to the end. */
function lateInRotation() {
  const accounts = new Map<Account, Set<Connection>>()
  function remove(connection: Connection) {
    const { lateFor } = connection
    if (lateFor === null) return
    connection.lateFor = null
    const group = accounts.get(lateFor)
    group?.delete(connection)
    if (group?.size === 0) accounts.delete(lateFor)
  }
  return {
    get size() {
      return accounts.size
    },
    add(connection: Connection, account: Account) {
      connection.lateFor = account
      accounts.set(account, (accounts.get(account) ?? new Set()).add(connection))
    },
    remove,
    /** Removes and returns the connection whose turn it is. */
    takeNext(): Connection | null {
      const [account, [connection]] = accounts.entries().next().value ?? [null, []]
      if (account === null || connection === undefined) return null
      remove(connection)
      const others = accounts.get(account)
      accounts.delete(account)
      if (others !== undefined) accounts.set(account, others)
      return connection
    },
  }
}
