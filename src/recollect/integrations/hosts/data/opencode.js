// name: recollect
// Written by `recollect install opencode`, removed by `recollect uninstall opencode`; version {version}.
import { spawn } from "node:child_process"

const COMMAND = {command}
const TIMEOUT_MS = 15_000

/** Run the hook with an event; what it answers for the model, and "" when it fails or takes too long. */
const hook = (event) =>
  new Promise((resolve) => {
    let text = ""
    const done = () => {
      try {
        resolve(JSON.parse(text).context ?? "")
      } catch {
        resolve("")
      }
    }
    const child = spawn(COMMAND[0], COMMAND.slice(1), { stdio: ["pipe", "pipe", "ignore"], timeout: TIMEOUT_MS })
    child.stdout.on("data", (part) => (text += part))
    child.on("error", done)
    child.on("close", done)
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify(event))
  })

export const Recollect = async ({ directory }) => {
  const given = new Map() // session -> what its model was given, which stands in every system prompt
  const children = new Set() // sessions of sub-agents
  const about = (session_id, name) => ({ hook_event_name: name, session_id, cwd: directory })

  return {
    event: async ({ event }) => {
      const info = event.properties?.info
      if (event.type === "session.created" && info?.parentID) children.add(info.id)
      if (event.type === "session.deleted" && info) given.delete(info.id)
    },
    "chat.message": async ({ sessionID }, { parts }) => {
      if (children.has(sessionID)) return
      const said = parts.filter((part) => part.type === "text" && !part.synthetic && !part.ignored)
      if (!said.length) return
      if (!given.has(sessionID)) given.set(sessionID, [await hook({ ...about(sessionID, "session.start"), source: "clear" })])
      const prompt = said.map((part) => part.text).join("\n\n")
      given.get(sessionID).push(await hook({ ...about(sessionID, "chat.message"), prompt, id: said[0].id }))
    },
    "experimental.chat.system.transform": async ({ sessionID }, { system }) => {
      system.push(...(given.get(sessionID) ?? []).filter(Boolean))
    },
    "experimental.text.complete": async ({ sessionID, partID }, { text }) => {
      if (!children.has(sessionID)) await hook({ ...about(sessionID, "text.complete"), text, id: partID })
    },
  }
}
