// Made by `make client-types` from OpenAPI d0c9572fb720a27f844261c11d85f144f94a933db8d117691d06f5213f58e07f

export interface paths {
    "/agenda": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    user_id?: string | null;
                    project?: string | null;
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AgendaOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agenda/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AgendaAnswerIn"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AgendaChangedOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agenda/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AgendaIdsIn"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AgendaChangedOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agenda/mention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AgendaIdsIn"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AgendaChangedOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AnswerIn"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnswerOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChatIn"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ChatOut"];
                        "text/event-stream": {
                            data: string;
                            /** @enum {string} */
                            event: "done" | "error" | "token";
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chat/memory/profile/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    project?: string | null;
                };
                header?: never;
                path: {
                    user_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProfileOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chat/models/override": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OverrideIn"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OverrideOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/config/apikey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ApiKeyIn"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SuccessOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HealthOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    user_id?: string | null;
                    project?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StatsOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    user_id?: string | null;
                    upload?: string | null;
                    dry_run?: boolean;
                    delete_missing?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/octet-stream": string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AppliedOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conflicts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    user_id?: string | null;
                    project?: string | null;
                    limit?: number;
                    cursor?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConflictsOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conflicts/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["IdsIn"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ReopenedOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conflicts/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ResolveIn"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ResolvedOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ContextIn"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ContextOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    user_id?: string | null;
                    limit?: number;
                    cursor?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DocumentsOut"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DocumentIn"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DocumentAdded"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DocumentAdded"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/documents/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query: {
                    source: string;
                    user_id?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/octet-stream": string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DocumentAdded"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DocumentAdded"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/documents/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CitingIn"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CitationsOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/documents/{document_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    user_id?: string | null;
                };
                header?: never;
                path: {
                    document_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DocumentOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: {
                    user_id?: string | null;
                };
                header?: never;
                path: {
                    document_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeletedOut"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/documents/{document_id}/text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    user_id?: string | null;
                };
                header?: never;
                path: {
                    document_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/plain": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    user_id?: string | null;
                    format?: "card" | "lines" | "markdown" | "mem0" | "server-memory";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": unknown;
                        "application/x-ndjson": string;
                        "application/zip": string;
                        "text/plain": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FeedbackIn"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MemoryOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/graph": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    user_id?: string | null;
                    project?: string | null;
                    focus?: string[] | null;
                    limit?: number;
                    edge_limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GraphOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/graph/facts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    user_id?: string | null;
                    project?: string | null;
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FactGraphOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    user_id?: string | null;
                    session_id?: string | null;
                    name?: string | null;
                    upload?: string | null;
                    dry_run?: boolean;
                    format?: string | null;
                    me?: string | null;
                    date_order?: string | null;
                    timezone?: string | null;
                    columns?: string | null;
                    owner?: string | null;
                    stream?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/octet-stream": string;
                    "application/x-ndjson": string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LoadedOut"];
                        "text/event-stream": {
                            data: string;
                            /** @enum {string} */
                            event: "done" | "error" | "progress";
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JobsOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    user_id?: string | null;
                    agent_id?: string | null;
                    session_id?: string | null;
                    project?: string | null;
                    newest_first?: boolean;
                    limit?: number;
                    cursor?: string | null;
                    kind?: ("document" | "episode" | "fact" | "message" | "procedure" | "task" | "thought")[] | null;
                    tier?: ("archived" | "long-term" | "short-term" | "working")[] | null;
                    tag?: string | null;
                    category?: string | null;
                    priority?: ("high" | "low" | "medium") | null;
                    critical?: boolean | null;
                    min_importance?: number | null;
                    contains?: string | null;
                    since?: string | null;
                    until?: string | null;
                    filters?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MemoryPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "idempotency-key"?: string | null;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AddIn"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AddedList"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AddedList"];
                    };
                };
            };
        };
        delete: {
            parameters: {
                query?: {
                    user_id?: string | null;
                    agent_id?: string | null;
                    session_id?: string | null;
                    all?: boolean;
                    reason?: string | null;
                    kind?: ("document" | "episode" | "fact" | "message" | "procedure" | "task" | "thought")[] | null;
                    tier?: ("archived" | "long-term" | "short-term" | "working")[] | null;
                    tag?: string | null;
                    category?: string | null;
                    priority?: ("high" | "low" | "medium") | null;
                    critical?: boolean | null;
                    min_importance?: number | null;
                    contains?: string | null;
                    since?: string | null;
                    until?: string | null;
                    filters?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeletedOut"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memories/deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    user_id?: string | null;
                    limit?: number;
                    cursor?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MemoryPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memories/unarchive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["IdsIn"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UnarchivedOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memories/{memory_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    user_id?: string | null;
                    project?: string | null;
                };
                header?: never;
                path: {
                    memory_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MemoryOut"];
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    memory_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["UpdateIn"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MemoryOut"];
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: {
                    user_id?: string | null;
                    reason?: string | null;
                };
                header?: never;
                path: {
                    memory_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeletedOut"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memories/{memory_id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    memory_id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["NoteIn"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MemoryOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memories/{memory_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    user_id?: string | null;
                };
                header?: never;
                path: {
                    memory_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HistoryOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memories/{memory_id}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    user_id?: string | null;
                };
                header?: never;
                path: {
                    memory_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LinksOut"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    memory_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LinkIn"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LinksOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memories/{memory_id}/reinforce": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    memory_id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["NoteIn"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MemoryOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memories/{memory_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    memory_id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["NoteIn"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MemoryOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memories/{memory_id}/unarchive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    memory_id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["NoteIn"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MemoryOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memories/{memory_id}/use": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    memory_id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["NoteIn"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MemoryOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memories/{memory_id}/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    user_id?: string | null;
                    query?: string | null;
                    agent_id?: string | null;
                    session_id?: string | null;
                    kind?: ("document" | "episode" | "fact" | "message" | "procedure" | "task" | "thought")[] | null;
                    tier?: ("archived" | "long-term" | "short-term" | "working")[] | null;
                    since?: string | null;
                    until?: string | null;
                    as_of?: string | null;
                    threshold?: number;
                    collapse?: boolean;
                    filters?: string | null;
                    project?: string | null;
                };
                header?: never;
                path: {
                    memory_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExplanationOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/plain": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    user_id?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProjectsOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/rename": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RenameIn"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RenamedOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/purge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    user_id?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PurgedOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ReadyOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SearchIn"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SearchOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    user_id?: string | null;
                    agent_id?: string | null;
                    project?: string | null;
                    limit?: number;
                    cursor?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SessionsOut"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["SessionIn"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SessionOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    user_id?: string | null;
                    agent_id?: string | null;
                };
                header?: never;
                path: {
                    session_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SessionOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    session_id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["Scoped"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EndedOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/summarise": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    session_id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["Scoped"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SummaryOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/turns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    user_id?: string | null;
                    agent_id?: string | null;
                    limit?: number;
                };
                header?: never;
                path: {
                    session_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TurnsOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/thresholds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    user_id?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ThresholdsOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/thresholds/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["Owned"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ThresholdsOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/thresholds/{context_type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    context_type: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ThresholdIn"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ThresholdsOut"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    user_id?: string | null;
                    since?: string | null;
                    until?: string | null;
                    kind?: ("document" | "episode" | "fact" | "message" | "procedure" | "task" | "thought")[] | null;
                    project?: string | null;
                    grain?: ("day" | "hour" | "month" | "week" | "year") | null;
                    limit?: number;
                    cursor?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TimelineOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    name?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/octet-stream": string;
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UploadOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads/{upload_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    upload_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeletedOut"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UsersOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AddIn: {
            agent_id?: string | null;
            idempotency_key?: string | null;
            /**
             * @default message
             * @enum {string}
             */
            kind?: "document" | "episode" | "fact" | "message" | "procedure" | "task" | "thought";
            messages: string | components["schemas"]["MessageIn"] | (string | components["schemas"]["MessageIn"])[];
            metadata?: {
                [key: string]: unknown;
            } | null;
            session_id?: string | null;
            timestamp?: string | number | null;
            user_id?: string | null;
            valid_until?: string | number | null;
        };
        AddedList: {
            results: components["schemas"]["AddedOut"][];
        };
        AddedOut: {
            id: string | null;
            reason?: string | null;
            /** @enum {string} */
            status: "deleted" | "duplicate" | "redacted" | "refused" | "stored";
        };
        AgedConfidenceOut: {
            because: string;
            changes: number;
            half_life_days: number | null;
            reason: string;
            relation: string;
            said_at: string;
            value: number;
        };
        AgendaAnswerIn: {
            answer: string;
            id: string;
            user_id?: string | null;
        };
        AgendaChangedOut: {
            ids: string[];
        };
        AgendaIdsIn: {
            ids: string[];
            user_id?: string | null;
        };
        AgendaItemOut: {
            due: string | null;
            id: string;
            /** @enum {string} */
            kind: "birthday" | "conflict" | "doubt" | "plan" | "promise" | "question" | "task" | "unknown";
            occasion: string;
            reason: string;
            sources: string[];
            text: string;
        };
        AgendaOut: {
            items: components["schemas"]["AgendaItemOut"][];
        };
        AnswerIn: {
            agent_id?: string | null;
            as_of?: string | number | null;
            /** @default 1500 */
            budget_tokens?: number;
            message: string;
            project?: string | null;
            session_id?: string | null;
            user_id?: string | null;
        };
        AnswerOut: {
            about?: string | null;
            hint?: string | null;
            kind: ("about" | "everything" | "why") | "time" | null;
            /** @default [] */
            memories?: components["schemas"]["MemoryOut"][];
            reckoned?: components["schemas"]["ReckonedOut"] | null;
            /** @default  */
            text?: string;
            /** @default 0 */
            tokens?: number;
            /** @default 0 */
            total?: number;
        };
        ApiKeyIn: {
            apiKey: string;
        };
        AppliedOut: {
            counts: {
                [key: string]: number;
            };
            dry_run: boolean;
            edits: components["schemas"]["EditOut"][];
        };
        BrokenOut: {
            reason: string;
            where: string;
        };
        ChangeOut: {
            /** @enum {string} */
            action: "add" | "delete" | "feedback" | "recover" | "reinforce" | "update" | "use";
            after: {
                [key: string]: unknown;
            };
            at: string;
            before: {
                [key: string]: unknown;
            };
            reason: string | null;
        };
        ChatIn: {
            apiKey?: string | null;
            message: string;
            preset?: string | null;
            project?: string | null;
            sessionId?: string | null;
            /** @default false */
            stream?: boolean;
            userId?: string | null;
        };
        ChatOut: {
            answerMemoryId: string | null;
            content: string;
            memoryContext: components["schemas"]["MemoryContext"];
            model: string | null;
            preset: string;
            sessionId: string;
            sources: components["schemas"]["SourceOut"][];
            storedMemoryId: string;
            tidied: components["schemas"]["TidiedOut"] | null;
        };
        ChatUsage: {
            calls: number;
            costUsd: number | null;
            inputTokens: number;
            outputTokens: number;
        };
        CitationOut: {
            document_id: string;
            hit: components["schemas"]["RecollectionOut"];
            number: number;
            page: number | null;
            snippet: string;
            source: string;
            title: string;
        };
        CitationsOut: {
            citations: components["schemas"]["CitationOut"][];
            hint?: string | null;
        };
        CitingIn: {
            /** @default 5 */
            limit?: number;
            query: string;
            user_id?: string | null;
        };
        ConceptOut: {
            memories: number;
            name: string;
            strength?: number | null;
        };
        ConflictOut: {
            known: components["schemas"]["MemoryOut"];
            new: components["schemas"]["MemoryOut"];
        };
        ConflictsOut: {
            conflicts: components["schemas"]["ConflictOut"][];
            hint?: string | null;
            next_cursor?: string | null;
        };
        ContextIn: {
            agent_id?: string | null;
            as_of?: string | number | null;
            /** @default 1500 */
            budget_tokens?: number;
            /** @default 0.25 */
            core_share?: number;
            /** @default [] */
            exclude_ids?: string[];
            filters?: {
                [key: string]: unknown;
            } | null;
            kinds?: ("document" | "episode" | "fact" | "message" | "procedure" | "task" | "thought")[] | null;
            project?: string | null;
            query: string;
            session_id?: string | null;
            since?: string | number | null;
            /** @default 0.08 */
            threshold?: number;
            tiers?: ("archived" | "long-term" | "short-term" | "working")[] | null;
            until?: string | number | null;
            user_id?: string | null;
        };
        ContextOut: {
            budget_tokens: number;
            core_left_out: number;
            hint?: string | null;
            included: components["schemas"]["RecollectionOut"][];
            left_out: components["schemas"]["LeftOutOut"][];
            notes: string[];
            text: string;
            tokens: number;
        };
        CoreMemoryOut: {
            memoryId: string;
            summary: string;
        };
        DateOut: {
            end: string;
            /** @enum {string} */
            grain: "day" | "hour" | "minute" | "month" | "week" | "year";
            place: number[];
            /** @enum {string} */
            relation: "after" | "at" | "before" | "by" | "since" | "until";
            start: string;
            text: string;
        };
        DeletedOut: {
            deleted: number;
            hint?: string | null;
        };
        DescriptionOut: {
            because: string | null;
            made_by: string;
            prompt_id: string | null;
            text: string;
        };
        DocumentAdded: {
            chunks: number;
            document_id: string | null;
            reason: string | null;
            source: string;
            status: string;
        };
        DocumentIn: {
            /**
             * @default markdown
             * @enum {string}
             */
            format?: "html" | "markdown" | "text";
            source: string;
            text: string;
            title?: string | null;
            user_id?: string | null;
        };
        DocumentOut: {
            added_at: string;
            chunks: number;
            digest: string;
            format: string;
            id: string;
            source: string;
            title: string;
        };
        DocumentsOut: {
            documents: components["schemas"]["DocumentOut"][];
            hint?: string | null;
            next_cursor?: string | null;
        };
        EdgeOut: {
            source: string;
            target: string;
            weight: number;
        };
        EditOut: {
            after: string | null;
            before: string | null;
            line: number;
            memory_id: string | null;
            page: string;
            reason: string | null;
            user_id: string;
            /** @enum {string} */
            what: "added" | "changed" | "conflict" | "deleted" | "missing" | "refused";
        };
        EndedOut: {
            agent_id: string | null;
            ended_at: string | null;
            id: string;
            last_activity: string;
            message_count: number;
            queued: boolean;
            started_at: string;
            title: string | null;
            user_id: string;
        };
        ExplanationOut: {
            confidence?: components["schemas"]["AgedConfidenceOut"] | null;
            history: components["schemas"]["ChangeOut"][];
            importance: number;
            memory: components["schemas"]["MemoryOut"];
            rank: number | null;
            ranked: number;
            reason?: string | null;
            recollection: components["schemas"]["RecollectionOut"] | null;
            sources: components["schemas"]["MemoryOut"][];
        };
        FactEdgeOut: {
            facts: number;
            name: string;
            source: string;
            target: string;
        };
        FactGraphOut: {
            edges: components["schemas"]["FactEdgeOut"][];
            hint?: string | null;
            nodes: components["schemas"]["FactNodeOut"][];
            total: number;
        };
        FactNodeOut: {
            facts: number;
            name: string;
            /** @enum {string} */
            type: "organisation" | "person" | "place" | "project" | "thing";
        };
        FactOut: {
            category: string;
            confidence: number;
            confidence_now: number;
            confidence_reason: string;
            contested: boolean;
            created_at: string;
            fact: string;
            fact_id: string;
            source: string;
            sources: string[];
            updated_at: string;
            valid_from: string;
            valid_until: string | null;
        };
        FeedbackIn: {
            memory_id: string;
            preset?: string | null;
            query?: string | null;
            reason?: string | null;
            useful: boolean;
            user_id?: string | null;
        };
        GraphOut: {
            concepts: components["schemas"]["ConceptOut"][];
            edges: components["schemas"]["EdgeOut"][];
            hint?: string | null;
            total: number;
        };
        HealthOut: {
            hasApiKey: boolean;
            /** @constant */
            status: "ok";
            timestamp: string;
        };
        HistoryOut: {
            changes: components["schemas"]["ChangeOut"][];
        };
        IdsIn: {
            ids: string[];
            user_id?: string | null;
        };
        ImportReportOut: {
            broken: components["schemas"]["BrokenOut"][];
            broken_count: number;
            conflict: number;
            conflicts: components["schemas"]["BrokenOut"][];
            conversations: number;
            deleted: number;
            documents: number;
            dry_run: boolean;
            duplicate: number;
            expected: {
                [key: string]: number;
            };
            facts: number;
            format: string;
            incomplete: boolean;
            left_out: {
                [key: string]: number;
            };
            messages: number;
            notes: string[];
            older: number;
            owners: string[];
            redacted: number;
            refused: number;
            since: string | null;
            speakers: {
                [key: string]: number;
            };
            stored: number;
            title: string;
            unknown_user: boolean;
            until: string | null;
            updated: number;
        };
        JobOut: {
            attempts: number;
            error: string | null;
            id: number;
            task: string;
            user_id: string;
        };
        JobsOut: {
            failed: components["schemas"]["JobOut"][];
            next_cursor?: string | null;
            waiting: components["schemas"]["JobOut"][];
        };
        LabelsOut: {
            category?: string | null;
            concepts: string[];
            dates: components["schemas"]["DateOut"][];
            emotion?: string | null;
            entities: string[];
            language?: string | null;
            parameters: components["schemas"]["ParameterOut"][];
            tags: components["schemas"]["TagOut"][];
        };
        LeftOutOut: {
            id: string;
            reason: string;
            score: number;
        };
        LinkIn: {
            target_id: string;
            /**
             * @default related
             * @enum {string}
             */
            type?: "contradicts" | "derived-from" | "related" | "supersedes";
            user_id?: string | null;
        };
        LinkOut: {
            source_id: string;
            target_id: string;
            /** @enum {string} */
            type: "contradicts" | "derived-from" | "related" | "supersedes";
        };
        LinksOut: {
            links: components["schemas"]["LinkOut"][];
        };
        ListedOut: {
            agent_id: string | null;
            begins: string | null;
            ended_at: string | null;
            id: string;
            last_activity: string;
            message_count: number;
            started_at: string;
            title: string | null;
            user_id: string;
        };
        LoadedOut: {
            duplicates: number;
            refused: number;
            report?: components["schemas"]["ImportReportOut"] | null;
            stored: number;
        };
        MemoryCandidate: {
            activated: boolean;
            activationScore: number;
            confidence: number;
            memoryId: string;
            reason: string;
            relevanceType: ("contextual" | "mixed" | "semantic" | "temporal") | null;
            signals: {
                [key: string]: number;
            };
            summary: string;
            terms: {
                [key: string]: number;
            };
            threshold: number | null;
        };
        MemoryContext: {
            activatedCount: number;
            activatedMemories: components["schemas"]["MemoryCandidate"][];
            avgActivationScore: number;
            candidateMemories: components["schemas"]["MemoryCandidate"][];
            contextType: string | null;
            coreMemories: components["schemas"]["CoreMemoryOut"][];
            threshold: number | null;
            totalMemories: number;
        };
        MemoryOut: {
            content: string;
            id: string;
            idempotency_key?: string | null;
            /** @enum {string} */
            kind: "document" | "episode" | "fact" | "message" | "procedure" | "task" | "thought";
            labels: components["schemas"]["LabelsOut"];
            metadata: {
                [key: string]: unknown;
            };
            origin: components["schemas"]["OriginOut"];
            scope: components["schemas"]["ScopeOut"];
            summary?: string | null;
            /** @enum {string} */
            tier: "archived" | "long-term" | "short-term" | "working";
            times: components["schemas"]["TimesOut"];
            use: components["schemas"]["UseOut"];
            worth: components["schemas"]["WorthOut"];
        };
        MemoryPage: {
            hint?: string | null;
            items: components["schemas"]["MemoryOut"][];
            next_cursor?: string | null;
        };
        MessageIn: {
            category?: string | null;
            confidence?: number | null;
            content: string;
            critical?: boolean | null;
            idempotency_key?: string | null;
            importance?: number | null;
            kind?: ("document" | "episode" | "fact" | "message" | "procedure" | "task" | "thought") | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
            name?: string | null;
            priority?: ("high" | "low" | "medium") | null;
            role?: string | null;
            tags?: string[] | null;
            tier?: ("archived" | "long-term" | "short-term" | "working") | null;
            timestamp?: string | number | null;
            valid_until?: string | number | null;
        };
        NoteIn: {
            reason?: string | null;
            user_id?: string | null;
        };
        OriginOut: {
            extractor?: string | null;
            prompt_id?: string | null;
            role: string;
            sources: string[];
            speaker?: string | null;
            thread: string;
            turn: number;
        };
        OverrideIn: {
            model_name: string;
            task: string;
        };
        OverrideOut: {
            model_name: string;
            models: {
                [key: string]: string | null;
            };
            task: string;
        };
        Owned: {
            user_id?: string | null;
        };
        ParameterOut: {
            /** @enum {string} */
            kind: "duration" | "email" | "money" | "pair" | "path" | "person" | "quantity" | "url";
            name?: string | null;
            place: number[];
            text: string;
            unit?: string | null;
            value?: number | null;
        };
        PeriodOut: {
            counts: {
                [key: string]: number;
            };
            end: string;
            start: string;
        };
        ProfileOut: {
            facts: {
                [key: string]: components["schemas"]["FactOut"][];
            };
            hint?: string | null;
            total: number;
            user_id: string;
        };
        ProjectOut: {
            hosts: string[];
            last_at: string;
            messages: number;
            name: string;
        };
        ProjectsOut: {
            projects: components["schemas"]["ProjectOut"][];
        };
        PurgedOut: {
            deleted: number;
            hint?: string | null;
            residue?: string | null;
        };
        ReadyOut: {
            queue: number;
            /** @enum {string} */
            status: "not ready" | "ready";
            store: boolean;
            worker: boolean;
        };
        ReckonedOut: {
            count: number | null;
            days: number | null;
            end: string | null;
            first: boolean | null;
            /** @enum {string} */
            grain: "day" | "hour" | "minute" | "month" | "week" | "year";
            /** @enum {string} */
            kind: "ago" | "at" | "between" | "length" | "next" | "often" | "order" | "prior" | "rate" | "since" | "when" | "yes";
            open: boolean;
            start: string | null;
            told: string | null;
        };
        RecollectionOut: {
            citation?: string | null;
            matched_tags: string[];
            memory: components["schemas"]["MemoryOut"];
            /** @default [] */
            repeats?: components["schemas"]["RepeatOut"][];
            score: number;
            signals: {
                [key: string]: number;
            };
            superseded?: components["schemas"]["SupersededOut"] | null;
            terms: {
                [key: string]: number;
            };
            via?: components["schemas"]["MemoryOut"] | null;
        };
        ReinforcementOut: {
            at: string;
            reason?: string | null;
        };
        RenameIn: {
            new: string;
            old: string;
            user_id?: string | null;
        };
        RenamedOut: {
            renamed: number;
        };
        ReopenedOut: {
            reopened: number;
        };
        RepeatOut: {
            happened_at: string;
            id: string;
        };
        ResolveIn: {
            drop?: string | null;
            keep: string;
            user_id?: string | null;
        };
        ResolvedOut: {
            dropped: string | null;
            kept: string;
        };
        ScopeOut: {
            agent_id?: string | null;
            session_id?: string | null;
            user_id: string;
        };
        Scoped: {
            agent_id?: string | null;
            session_id?: string | null;
            user_id?: string | null;
        };
        SearchIn: {
            agent_id?: string | null;
            as_of?: string | number | null;
            /** @default true */
            collapse?: boolean;
            /** @default [] */
            exclude_ids?: string[];
            filters?: {
                [key: string]: unknown;
            } | null;
            kinds?: ("document" | "episode" | "fact" | "message" | "procedure" | "task" | "thought")[] | null;
            project?: string | null;
            query: string;
            session_id?: string | null;
            since?: string | number | null;
            /** @default 0 */
            threshold?: number;
            tiers?: ("archived" | "long-term" | "short-term" | "working")[] | null;
            /** @default 10 */
            top_k?: number;
            until?: string | number | null;
            user_id?: string | null;
        };
        SearchOut: {
            hint?: string | null;
            results: components["schemas"]["RecollectionOut"][];
        };
        SessionIn: {
            agent_id?: string | null;
            session_id?: string | null;
            title?: string | null;
            user_id?: string | null;
        };
        SessionOut: {
            agent_id: string | null;
            ended_at: string | null;
            id: string;
            last_activity: string;
            message_count: number;
            started_at: string;
            title: string | null;
            user_id: string;
        };
        SessionsOut: {
            hint?: string | null;
            next_cursor?: string | null;
            sessions: components["schemas"]["ListedOut"][];
        };
        SourceOut: {
            documentId: string;
            memoryId: string;
            number: number;
            page: number | null;
            snippet: string;
            source: string;
            title: string;
        };
        StatsOut: {
            activeMemories: number;
            archivedMemories: number;
            averageActivationScore: number;
            dimensions: number;
            embeddingModel: string | null;
            failedJobs: number;
            hasApiKey: boolean;
            kinds: {
                [key: string]: number;
            };
            maxBodyBytes: number;
            maxImportBytes: number;
            models: {
                [key: string]: string | null;
            };
            retrievals: number;
            /** @enum {string} */
            role: "admin" | "reader" | "writer";
            thresholds: {
                [key: string]: number;
            };
            tiers: {
                [key: string]: number;
            };
            totalMemories: number;
            usage: components["schemas"]["ChatUsage"];
            userId: string;
            waitingJobs: number;
        };
        SuccessOut: {
            success: boolean;
        };
        SummaryOut: {
            summary: components["schemas"]["DescriptionOut"];
            title: components["schemas"]["DescriptionOut"];
        };
        SupersededOut: {
            by: string;
            until: string | null;
        };
        TagOut: {
            approved: boolean;
            confidence: number;
            text: string;
        };
        ThresholdChangeOut: {
            after: number;
            at: string;
            before: number;
            context_type: string;
            reason: string;
        };
        ThresholdIn: {
            threshold: number;
            user_id?: string | null;
        };
        ThresholdOut: {
            bounds: number[];
            false_negative_rate: number | null;
            false_positive_rate: number | null;
            note: string;
            outcomes: number;
            start: number;
            success_rate: number | null;
            threshold: number;
        };
        ThresholdsOut: {
            history: components["schemas"]["ThresholdChangeOut"][];
            thresholds: {
                [key: string]: components["schemas"]["ThresholdOut"];
            };
        };
        TidiedOut: {
            archived: {
                [key: string]: number;
            };
            ids: string[];
        };
        TimelineOut: {
            /** @enum {string} */
            grain: "day" | "hour" | "month" | "week" | "year";
            hint?: string | null;
            memories: components["schemas"]["MemoryOut"][];
            next_cursor?: string | null;
            periods: components["schemas"]["PeriodOut"][];
            total: number;
        };
        TimesOut: {
            accessed_at?: string | null;
            created_at: string;
            happened_at: string;
            updated_at: string;
            valid_from?: string | null;
            valid_until?: string | null;
        };
        TurnOut: {
            content: string;
            cut_off: boolean;
            id: string;
            model: string | null;
            role: string;
            said_at: string;
            sources: components["schemas"]["TurnSourceOut"][];
            speaker: string | null;
        };
        TurnSourceOut: {
            deleted: boolean;
            document_id: string;
            memory_id: string;
            number: number;
            page: number | null;
            source: string;
            title: string;
        };
        TurnsOut: {
            turns: components["schemas"]["TurnOut"][];
        };
        UnarchivedOut: {
            unarchived: number;
        };
        UpdateIn: {
            category?: string | null;
            confidence?: number | null;
            content?: string | null;
            critical?: boolean | null;
            importance?: number | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
            priority?: ("high" | "low" | "medium") | null;
            reason?: string | null;
            tags?: string[] | null;
            tier?: ("archived" | "long-term" | "short-term" | "working") | null;
            timestamp?: string | number | null;
            user_id?: string | null;
            valid_until?: string | number | null;
        };
        UploadOut: {
            bytes: number;
            expires_at: string;
            id: string;
        };
        UseOut: {
            access_count: number;
            decay_factor: number;
            reinforced_count: number;
            reinforcements: components["schemas"]["ReinforcementOut"][];
            unhelpful_count: number;
            usage_count: number;
            useful_count: number;
        };
        UsersOut: {
            users: string[];
        };
        WorthOut: {
            confidence: number;
            critical: boolean;
            factors: {
                [key: string]: number;
            };
            importance: number;
            priority?: ("high" | "low" | "medium") | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
