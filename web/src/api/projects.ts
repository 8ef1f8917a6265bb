import { dataOf, server } from "./client";
import type { Project } from "./types";
import { owner } from "./user";

/** What coding agents worked on, the last first. */
export const projects = async (signal: AbortSignal): Promise<Project[]> =>
  (await dataOf(server.GET("/projects", { params: { query: owner() }, signal }))).projects;

/** Give a project another name; how many messages have it now. */
export const renameProject = async (old: string, name: string): Promise<number> =>
  (await dataOf(server.POST("/projects/rename", { body: { ...owner(), old, new: name } }))).renamed;
